import Schedulers

/// The observers of a multicasting source, in the order in which they subscribed.
///
/// Law 2: accessed only inside the source's serializer. Adding and removing take constant time: a removed slot leaves a hole,
/// and the list closes up when half of it is holes. An empty list allocates nothing. Not generic, so that what a lifetime removes through its
/// class needs no type of the runtime.
@usableFromInline
struct SubscriberList: ~Copyable {
    @usableFromInline var slots: UnsafeMutablePointer<Unmanaged<AnySubjectSlot>?>?
    @usableFromInline var capacity = 0
    /// How many places are used, holes included.
    @usableFromInline var end = 0
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable
    deinit {
        guard let slots else { return }
        for index in 0..<end {
            slots[index]?.release()
        }
        slots.deallocate()
    }

    /// Whether nobody is subscribed.
    var isEmpty: Bool { count == 0 }

    /// Adds `slot` behind those of its rank.
    @usableFromInline
    mutating func append(_ slot: AnySubjectSlot) {
        let slots = end == capacity ? grow() : slots ?? grow()
        var place = end
        while slot.rank < .max, place > 0, slots[place - 1].map({ $0._withUnsafeGuaranteedRef { $0.rank > slot.rank } }) ?? true {
            slots[place - 1]?._withUnsafeGuaranteedRef { $0.index = Int32(place) }
            (slots + place).initialize(to: slots[place - 1])
            place -= 1
        }
        slot.index = Int32(place)
        (slots + place).initialize(to: .passRetained(slot))
        end += 1
        count += 1
    }

    mutating func remove(_ slot: AnySubjectSlot) {
        guard let slots, slot.index >= 0 else { return }
        let removed = slots[Int(slot.index)]
        slots[Int(slot.index)] = nil
        slot.index = -1
        count -= 1
        if count * 2 < end { closeUp(slots) }
        removed?.release()
    }

    /// Empties the list and gives what was in it.
    @usableFromInline
    mutating func takeAll() -> [AnySubjectSlot] {
        var taken: [AnySubjectSlot] = []
        for index in 0..<end {
            guard let slot = slots?[index] else { continue }
            taken.append(slot.takeRetainedValue())
        }
        for slot in taken { slot.index = -1 }
        end = 0
        count = 0
        return taken
    }

    private mutating func closeUp(_ slots: UnsafeMutablePointer<Unmanaged<AnySubjectSlot>?>) {
        var target = 0
        for index in 0..<end {
            guard let slot = slots[index] else { continue }
            slot._withUnsafeGuaranteedRef { $0.index = Int32(target) }
            slots[target] = slot
            target += 1
        }
        end = target
    }

    private mutating func grow() -> UnsafeMutablePointer<Unmanaged<AnySubjectSlot>?> {
        capacity = max(1, capacity * 4)
        let larger = UnsafeMutablePointer<Unmanaged<AnySubjectSlot>?>.allocate(capacity: capacity)
        if let slots {
            larger.moveInitialize(from: slots, count: end)
            slots.deallocate()
        }
        slots = larger
        return larger
    }
}
