/// An action that waits for its time in a heap and knows its place there, so that it can be taken out again.
class TimerEntry: ScheduledAction, @unchecked Sendable {
    // Law 3: the place is touched only under the lock of whoever owns the heap.
    final let deadline: Int64
    fileprivate(set) final var order: UInt64 = 0
    fileprivate(set) final var place = -1

    init(deadline: Int64, _ action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        super.init(action)
    }

    fileprivate final func precedes(_ other: TimerEntry) -> Bool {
        (deadline, order) < (other.deadline, other.order)
    }
}

/// A binary heap of entries by deadline and then by the order in which they came. Inserting and removing take O(log n).
struct TimerHeap {
    private var entries: [TimerEntry] = []
    private var nextOrder: UInt64 = 0

    var first: TimerEntry? { entries.first }

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ entry: TimerEntry) {
        entry.order = nextOrder
        nextOrder += 1
        entries.append(entry)
        rise(entry, from: entries.count - 1)
    }

    /// Takes `entry` out; false if it was out already.
    mutating func remove(_ entry: TimerEntry) -> Bool {
        let place = entry.place
        guard place >= 0 else { return false }
        entry.place = -1
        let last = entries.removeLast()
        guard last !== entry else { return true }
        rise(last, from: place)
        sink(last, from: last.place)
        return true
    }

    /// Takes the first entry out if it is due at `time`.
    mutating func removeFirst(dueAt time: Int64) -> TimerEntry? {
        guard let first, first.deadline <= time else { return nil }
        _ = remove(first)
        return first
    }

    private mutating func rise(_ entry: TimerEntry, from start: Int) {
        var place = start
        while place > 0 {
            let above = (place - 1) / 2
            guard entry.precedes(entries[above]) else { break }
            put(entries[above], at: place)
            place = above
        }
        put(entry, at: place)
    }

    private mutating func sink(_ entry: TimerEntry, from start: Int) {
        var place = start
        while true {
            var below = 2 * place + 1
            guard below < entries.count else { break }
            if below + 1 < entries.count, entries[below + 1].precedes(entries[below]) { below += 1 }
            guard entries[below].precedes(entry) else { break }
            put(entries[below], at: place)
            place = below
        }
        put(entry, at: place)
    }

    private mutating func put(_ entry: TimerEntry, at place: Int) {
        entries[place] = entry
        entry.place = place
    }
}
