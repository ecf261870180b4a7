import Schedulers

/// The observers of a multicasting source, in the order in which they subscribed.
///
/// Law 2: used only by whoever is inside the source's serializer. Adding and removing take constant time: a removed slot leaves a hole,
/// and the list closes up when half of it is holes. An empty list allocates nothing.
@usableFromInline
struct SubscriberList<Element: Sendable>: ~Copyable {
    @usableFromInline typealias Slots = UnsafeMutablePointer<Unmanaged<SubjectSlot<Element>>?>

    @usableFromInline var memory = SlotMemory()
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable var slots: Slots? {
        memory.start?.assumingMemoryBound(to: Unmanaged<SubjectSlot<Element>>?.self)
    }

    @inlinable var end: Int {
        get { memory.end }
        set { memory.end = newValue }
    }

    /// Sends `event` to every observer that has not been disposed.
    @inlinable @inline(__always)
    func send(_ event: Event<Element>) {
        guard let slots else { return }
        for index in 0..<end {
            slots[index]?._withUnsafeGuaranteedRef { $0.receive(event) }
        }
    }

    /// Whether nobody is subscribed.
    var isEmpty: Bool { count == 0 }

    /// Adds `slot` behind those of its rank.
    @inlinable
    mutating func append(_ slot: SubjectSlot<Element>) {
        let slots = end == capacity ? grow() : slots ?? grow()
        var place = end
        while slot.rank < .max, place > 0, slots[place - 1].map({ $0._withUnsafeGuaranteedRef { $0.rank > slot.rank } }) ?? true {
            slots[place - 1]?._withUnsafeGuaranteedRef { $0.index = place }
            (slots + place).initialize(to: slots[place - 1])
            place -= 1
        }
        slot.index = place
        (slots + place).initialize(to: .passRetained(slot))
        end += 1
        count += 1
    }

    mutating func remove(_ slot: SubjectSlot<Element>) {
        guard let slots, slot.index >= 0 else { return }
        let removed = slots[slot.index]
        slots[slot.index] = nil
        slot.index = -1
        count -= 1
        if count * 2 < end { closeUp(slots) }
        removed?.release()
    }

    /// Empties the list and gives what was in it.
    mutating func takeAll() -> [SubjectSlot<Element>] {
        var taken: [SubjectSlot<Element>] = []
        for index in 0..<end {
            guard let slot = slots?[index] else { continue }
            taken.append(slot.takeRetainedValue())
        }
        for slot in taken { slot.index = -1 }
        end = 0
        count = 0
        return taken
    }

    private mutating func closeUp(_ slots: Slots) {
        var target = 0
        for index in 0..<end {
            guard let slot = slots[index] else { continue }
            slot._withUnsafeGuaranteedRef { $0.index = target }
            slots[target] = slot
            target += 1
        }
        end = target
    }

    @inlinable
    mutating func grow() -> Slots {
        capacity = max(1, capacity * 4)
        let larger = Slots.allocate(capacity: capacity)
        if let slots {
            larger.moveInitialize(from: slots, count: end)
            slots.deallocate()
        }
        memory.start = UnsafeMutableRawPointer(larger)
        return larger
    }
}

/// What a list of subscribers has allocated. Not generic, so that releasing it asks the runtime for no type.
@usableFromInline
struct SlotMemory: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer?
    @usableFromInline var end = 0

    @inlinable
    init() {}

    @inlinable
    deinit {
        guard let start else { return }
        let slots = start.assumingMemoryBound(to: Unmanaged<AnyObject>?.self)
        for index in 0..<end {
            slots[index]?.release()
        }
        start.deallocate()
    }
}
