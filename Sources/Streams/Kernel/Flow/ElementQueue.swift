/// A first-in, first-out queue; both operations are O(1), and removed elements are released immediately.
@usableFromInline
package struct ElementQueue<Element> {
    /// The memory; `nil` until the first element is appended. It is copied before a change if another queue shares it.
    @usableFromInline var ring: ElementRing<Element>?

    @inlinable
    init() {}

    @inlinable var count: Int { ring?.count ?? 0 }

    @inlinable var isEmpty: Bool { count == 0 }

    /// The oldest element.
    @inlinable var first: Element? {
        guard let ring, ring.count > 0 else { return nil }
        return ring.element(at: 0)
    }

    /// The element with this index, which is less than the count; that of the oldest is 0.
    @inlinable @inline(__always)
    subscript(index: Int) -> Element { unsafe ring.unsafelyUnwrapped.element(at: index) }

    @inlinable @inline(__always)
    mutating func append(_ element: consuming Element) {
        if unsafe !isKnownUniquelyReferenced(&ring) || ring.unsafelyUnwrapped.isFull { enlarge() }
        unsafe ring.unsafelyUnwrapped.append(element)
    }

    @inlinable @inline(__always)
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        if !isKnownUniquelyReferenced(&ring) { enlarge() }
        return unsafe ring.unsafelyUnwrapped.removeFirst()
    }

    /// Moves the elements to a ring of twice the capacity if this one is full, and copies them if another queue shares it.
    @inlinable @inline(never)
    mutating func enlarge() {
        let slots = ring?.slotCount ?? 0
        let larger = ElementRing<Element>.make(capacity: Swift.max(2, count == slots ? 2 * slots : slots))
        let isOwned = isKnownUniquelyReferenced(&ring)
        for index in 0..<count {
            unsafe larger.append(isOwned ? ring.unsafelyUnwrapped.removeFirst() : ring.unsafelyUnwrapped.element(at: index))
        }
        ring = larger
    }
}

/// The memory of a queue: a ring of slots. The slots that contain elements are initialized.
///
/// The positions are read by pointers, because each access to `header` is checked at run time. No pointer leaves the closure that gets it,
/// and nothing else accesses the memory meanwhile: a queue is the state of an operator (law 2), or stands under a lock.
@usableFromInline
final class ElementRing<Element>: ManagedBuffer<RingPositions, Element> {
    /// Creates an empty ring; the capacity must be a power of two.
    @inlinable
    static func make(capacity: Int) -> ElementRing {
        unsafe unsafeDowncast(create(minimumCapacity: capacity) { _ in RingPositions(capacity: capacity) }, to: ElementRing.self)
    }

    @inlinable
    deinit {
        guard !_isPOD(Element.self) else { return }
        unsafe withUnsafeMutablePointers { positions, slots in
            for index in unsafe 0..<positions.pointee.count { unsafe (slots + positions.pointee.slot(of: index)).deinitialize(count: 1) }
        }
    }

    @inlinable @inline(__always)
    var count: Int { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.count } }

    @inlinable
    var slotCount: Int { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.capacity } }

    @inlinable @inline(__always)
    var isFull: Bool { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.count == $0.pointee.capacity } }

    /// The element with this index, counted from the oldest.
    @inlinable @inline(__always)
    func element(at index: Int) -> Element {
        unsafe withUnsafeMutablePointers { positions, slots in unsafe slots[positions.pointee.slot(of: index)] }
    }

    @inlinable @inline(__always)
    func append(_ element: consuming Element) {
        // A closure cannot consume an element that it captures, but can take one out of an optional.
        var element: Element? = consume element
        unsafe withUnsafeMutablePointers { positions, slots in
            // swift-format-ignore: NeverForceUnwrap
            unsafe (slots + positions.pointee.slot(of: positions.pointee.count)).initialize(to: element.take()!)
            unsafe positions.pointee.count &+= 1
        }
    }

    @inlinable @inline(__always)
    func removeFirst() -> Element {
        unsafe withUnsafeMutablePointers { positions, slots in
            let element = unsafe (slots + positions.pointee.head).move()
            unsafe positions.pointee.head = unsafe positions.pointee.slot(of: 1)
            unsafe positions.pointee.count &-= 1
            return element
        }
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
    /// The slot of the element with this index, counted from the oldest.
    @inlinable @inline(__always)
    func slot(of index: Int) -> Int { (head &+ index) & (capacity &- 1) }
}
