/// An action in a heap of deadlines. The heap stores the index of the action here, so that it can be removed.
class TimerEntry: ScheduledAction, @unchecked Sendable {
    // Law 3: both are accessed only under the lock of the heap's owner. The deadline changes only while the entry is in no heap.
    final var deadline: Int64
    fileprivate(set) final var place = -1

    init(deadline: Int64, _ action: @escaping @Sendable () -> Void) {
        // A user's clock may be before its origin.
        self.deadline = max(0, deadline)
        super.init(action)
    }
}

/// A heap of entries ordered by deadline and then by insertion. Inserting and removing are O(log n).
///
/// Each slot has four adjacent children: half the levels of a binary heap, and one cache line to read for each level.
struct TimerHeap {
    /// The key is stored beside the entry, which is retained once while it is in the heap: sorting neither reads nor retains entries. An
    /// entry retains its scheduler, and with it the heap, until it is removed.
    @safe private struct Slot {
        /// The deadline, which is never negative, above the insertion order: one comparison without a branch.
        let key: UInt128
        let entry: Unmanaged<TimerEntry>
    }

    private static let width = 4

    private var slots: [Slot] = []
    private var nextOrder: UInt64 = 0

    var first: TimerEntry? { unsafe slots.first?.entry.takeUnretainedValue() }

    var isEmpty: Bool { slots.isEmpty }

    mutating func insert(_ entry: TimerEntry) {
        let slot = unsafe Slot(key: UInt128(entry.deadline) << 64 | UInt128(nextOrder), entry: .passRetained(entry))
        nextOrder += 1
        slots.append(slot)
        rise(slot, from: slots.count - 1)
    }

    /// Removes `entry`; returns `false` if it is not in the heap.
    mutating func remove(_ entry: TimerEntry) -> Bool {
        guard entry.place >= 0 else { return false }
        _ = take(from: entry.place)
        return true
    }

    /// Removes and returns the first entry if it is due at `time`.
    mutating func removeFirst(dueAt time: Int64) -> TimerEntry? {
        guard let first, first.deadline <= time else { return nil }
        return take(from: 0)
    }

    /// Removes and returns the entries that are due at `time`, in order.
    mutating func removeAll(dueAt time: Int64) -> [TimerEntry] {
        var due: [TimerEntry] = []
        while let entry = removeFirst(dueAt: time) { due.append(entry) }
        return due
    }

    private mutating func take(from place: Int) -> TimerEntry {
        let taken = unsafe slots[place].entry.takeRetainedValue()
        taken.place = -1
        let last = slots.removeLast()
        guard place < slots.count else { return taken }
        rise(last, from: place)
        unsafe sink(last, from: last.entry._withUnsafeGuaranteedRef { $0.place })
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

    /// Returns the earliest child of the slot at `place`; `nil` if it has none.
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
        unsafe slot.entry._withUnsafeGuaranteedRef { $0.place = place }
    }
}
