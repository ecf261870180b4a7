import Schedulers

/// The observers of a multicasting source, in the order in which they subscribed.
///
/// Law 2: used only by whoever is inside the source's entrance, which makes the unchecked parts sound. Adding and removing take
/// constant time: a removed slot leaves a hole, and the list closes up when half of it is holes.
@usableFromInline
final class SubscriberList<Element: Sendable>: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var slots: UnsafeMutablePointer<Unmanaged<SubjectSlot<Element>>?>
    @usableFromInline @exclusivity(unchecked) var end = 0
    @exclusivity(unchecked) private var capacity = 1
    @exclusivity(unchecked) private var count = 0

    @usableFromInline
    init() {
        slots = .allocate(capacity: 1)
    }

    deinit {
        for index in 0..<end {
            slots[index]?.release()
        }
        slots.deallocate()
    }

    /// Sends `event` to every observer that has not been disposed.
    @inlinable @inline(__always)
    func send(_ event: Event<Element>) {
        let slots = self.slots
        for index in 0..<end {
            slots[index]?._withUnsafeGuaranteedRef { $0.receive(event) }
        }
    }

    func append(_ slot: SubjectSlot<Element>) {
        if end == capacity { grow() }
        slot.index = end
        (slots + end).initialize(to: .passRetained(slot))
        end += 1
        count += 1
    }

    func remove(_ slot: SubjectSlot<Element>) {
        guard slot.index >= 0 else { return }
        let removed = slots[slot.index]
        slots[slot.index] = nil
        slot.index = -1
        count -= 1
        if count * 2 < end { closeUp() }
        removed?.release()
    }

    /// Empties the list and gives what was in it.
    func takeAll() -> [SubjectSlot<Element>] {
        let taken = (0..<end).compactMap { slots[$0]?.takeRetainedValue() }
        for slot in taken { slot.index = -1 }
        end = 0
        count = 0
        return taken
    }

    private func closeUp() {
        var target = 0
        for index in 0..<end {
            guard let slot = slots[index] else { continue }
            slot._withUnsafeGuaranteedRef { $0.index = target }
            slots[target] = slot
            target += 1
        }
        end = target
    }

    private func grow() {
        capacity *= 4
        let larger = UnsafeMutablePointer<Unmanaged<SubjectSlot<Element>>?>.allocate(capacity: capacity)
        larger.moveInitialize(from: slots, count: end)
        slots.deallocate()
        slots = larger
    }
}
