/// A first-in, first-out queue; both operations are O(1), and removed elements are released immediately.
@usableFromInline
struct ElementQueue<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// The oldest element.
    @inlinable var first: Element? { isEmpty ? nil : slots[head] }

    /// The elements in order.
    @inlinable var elements: [Element] {
        (0..<count).compactMap { slots[(head + $0) & (slots.count - 1)] }
    }

    @inlinable @inline(__always)
    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = element
        count += 1
    }

    @inlinable @inline(__always)
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            head = (head + 1) & (slots.count - 1)
            count -= 1
        }
        return slots[head].take()
    }

    /// Doubles the full capacity, which is always a power of two.
    @inlinable @inline(never)
    mutating func grow() {
        let added = max(2, slots.count)
        var larger: [Element?] = []
        larger.reserveCapacity(slots.count + added)
        larger += slots[head...]
        larger += slots[..<head]
        larger += repeatElement(nil, count: added)
        slots = larger
        head = 0
    }
}
