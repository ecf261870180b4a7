/// An action that waits for its time in a heap and knows its place there, so that it can be taken out again.
class TimerEntry: ScheduledAction, @unchecked Sendable {
    // Law 3: the place is touched only under the lock of whoever owns the heap.
    final let deadline: Int64
    fileprivate(set) final var place = -1

    init(deadline: Int64, _ action: @escaping @Sendable () -> Void) {
        // A user's clock may stand before its origin.
        self.deadline = max(0, deadline)
        super.init(action)
    }
}

/// A heap of entries by deadline and then by the order in which they came. Inserting and removing take O(log n).
///
/// Each slot has four below it, which lie side by side: half the levels of a binary heap, and each costs one look into memory.
struct TimerHeap {
    /// What is compared stands beside the entry, which is retained once while it is in: sorting reads no entry and retains none. An
    /// entry keeps its scheduler, and with it the heap, until it is out.
    private struct Slot {
        /// The deadline, which is never negative, above the order of arrival: one comparison without a branch.
        let key: UInt128
        let entry: Unmanaged<TimerEntry>
    }

    private static let width = 4

    private var slots: [Slot] = []
    private var nextOrder: UInt64 = 0

    var first: TimerEntry? { slots.first?.entry.takeUnretainedValue() }

    var isEmpty: Bool { slots.isEmpty }

    mutating func insert(_ entry: TimerEntry) {
        let slot = Slot(key: UInt128(entry.deadline) << 64 | UInt128(nextOrder), entry: .passRetained(entry))
        nextOrder += 1
        slots.append(slot)
        rise(slot, from: slots.count - 1)
    }

    /// Takes `entry` out; false if it was out already.
    mutating func remove(_ entry: TimerEntry) -> Bool {
        guard entry.place >= 0 else { return false }
        _ = take(from: entry.place)
        return true
    }

    /// Takes the first entry out if it is due at `time`.
    mutating func removeFirst(dueAt time: Int64) -> TimerEntry? {
        guard let first, first.deadline <= time else { return nil }
        return take(from: 0)
    }

    private mutating func take(from place: Int) -> TimerEntry {
        let taken = slots[place].entry.takeRetainedValue()
        taken.place = -1
        let last = slots.removeLast()
        guard place < slots.count else { return taken }
        rise(last, from: place)
        sink(last, from: last.entry._withUnsafeGuaranteedRef { $0.place })
        return taken
    }

    private mutating func rise(_ slot: Slot, from start: Int) {
        var place = start
        while place > 0 {
            let above = (place - 1) / Self.width
            guard slot.key < slots[above].key else { break }
            put(slots[above], at: place)
            place = above
        }
        put(slot, at: place)
    }

    private mutating func sink(_ slot: Slot, from start: Int) {
        var place = start
        while let below = earliest(below: place), slots[below].key < slot.key {
            put(slots[below], at: place)
            place = below
        }
        put(slot, at: place)
    }

    /// The earliest of the slots below `place`; nil if there is none.
    private func earliest(below place: Int) -> Int? {
        let start = place * Self.width + 1
        guard start < slots.count else { return nil }
        var earliest = start
        var earliestKey = slots[start].key
        for below in start..<min(start + Self.width, slots.count) {
            let key = slots[below].key
            (earliest, earliestKey) = key < earliestKey ? (below, key) : (earliest, earliestKey)
        }
        return earliest
    }

    private mutating func put(_ slot: Slot, at place: Int) {
        slots[place] = slot
        slot.entry._withUnsafeGuaranteedRef { $0.place = place }
    }
}
