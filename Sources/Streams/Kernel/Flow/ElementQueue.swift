/// A first-in, first-out queue; both operations are O(1), and removed elements are released immediately.
@usableFromInline
package struct ElementQueue<Element> {
    /// The memory; `nil` until the first element is appended. It is copied before a change if another queue shares it.
    @usableFromInline var ring: ElementRing<Element>?

    @inlinable
    init() {}

    @inlinable var count: Int { ring?.positions.pointee.count ?? 0 }

    @inlinable var isEmpty: Bool { count == 0 }

    /// The oldest element.
    @inlinable var first: Element? {
        guard let ring, ring.positions.pointee.count > 0 else { return nil }
        return ring.slot(0).pointee
    }

    /// The elements in order.
    @inlinable var elements: [Element] {
        guard let ring else { return [] }
        return (0..<ring.positions.pointee.count).map { ring.slot($0).pointee }
    }

    @inlinable @inline(__always)
    mutating func append(_ element: consuming Element) {
        if !isKnownUniquelyReferenced(&ring) || ring.unsafelyUnwrapped.isFull { enlarge() }
        ring.unsafelyUnwrapped.append(element)
    }

    @inlinable @inline(__always)
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        if !isKnownUniquelyReferenced(&ring) { enlarge() }
        return ring.unsafelyUnwrapped.removeFirst()
    }

    /// Moves the elements to a ring of twice the capacity, or copies them if another queue shares this one.
    @inlinable @inline(never)
    mutating func enlarge() {
        let larger = ElementRing<Element>.make(capacity: Swift.max(2, 2 * (ring?.positions.pointee.capacity ?? 0)))
        let isOwned = isKnownUniquelyReferenced(&ring)
        for index in 0..<count {
            let slot = ring.unsafelyUnwrapped.slot(index)
            larger.append(isOwned ? slot.move() : slot.pointee)
        }
        if isOwned { ring.unsafelyUnwrapped.positions.pointee.count = 0 }
        ring = larger
    }
}

/// The memory of a queue: a ring of slots. The slots that contain elements are initialized.
@usableFromInline
final class ElementRing<Element>: ManagedBuffer<RingPositions, Element> {
    /// Creates an empty ring; the capacity must be a power of two.
    @inlinable
    static func make(capacity: Int) -> ElementRing {
        unsafeDowncast(create(minimumCapacity: capacity) { _ in RingPositions(capacity: capacity) }, to: ElementRing.self)
    }

    @inlinable
    deinit {
        guard !_isPOD(Element.self) else { return }
        for index in 0..<positions.pointee.count { slot(index).deinitialize(count: 1) }
    }

    /// The positions are stored here, because each access to `header` is checked at run time.
    @inlinable @inline(__always)
    var positions: UnsafeMutablePointer<RingPositions> { withUnsafeMutablePointerToHeader { $0 } }

    @inlinable @inline(__always)
    var isFull: Bool { positions.pointee.count == positions.pointee.capacity }

    /// The slot of the element with this index, counted from the oldest.
    @inlinable @inline(__always)
    func slot(_ index: Int) -> UnsafeMutablePointer<Element> {
        withUnsafeMutablePointers { positions, slots in
            slots + (positions.pointee.head &+ index) & (positions.pointee.capacity &- 1)
        }
    }

    @inlinable @inline(__always)
    func append(_ element: consuming Element) {
        slot(positions.pointee.count).initialize(to: element)
        positions.pointee.count &+= 1
    }

    @inlinable @inline(__always)
    func removeFirst() -> Element {
        let element = slot(0).move()
        positions.pointee.head = (positions.pointee.head &+ 1) & (positions.pointee.capacity &- 1)
        positions.pointee.count &-= 1
        return element
    }
}

/// The positions of the elements in a ring.
@usableFromInline
struct RingPositions {
    @usableFromInline let capacity: Int
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable
    init(capacity: Int) {
        self.capacity = capacity
    }
}
