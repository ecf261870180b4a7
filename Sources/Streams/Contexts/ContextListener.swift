import Schedulers
import Synchronization

/// What is known of a listener, whatever its model.
@usableFromInline class AnyContextListener: @unchecked Sendable {
    // What changes is atomic; subclasses only add constants (law 3).
    @usableFromInline final let isDropped = Atomic<Bool>(false)

    @inlinable init() {}

    /// Makes it hear nothing more.
    final func drop() {
        isDropped.store(true, ordering: .releasing)
    }
}

/// One registered listener.
@usableFromInline final class ContextListener<Model: Sendable>: AnyContextListener, @unchecked Sendable {
    /// The four kinds, in the order in which they are called.
    @usableFromInline enum Call: Sendable {
        case completed(@Sendable (Model) -> Void)
        case failed(@Sendable (any Error) -> Void)
        case cancelled(@Sendable () -> Void)
        case deferred(@Sendable () -> Void)

        @inlinable var rank: UInt8 {
            switch self {
            case .completed: 0
            case .failed: 1
            case .cancelled: 2
            case .deferred: 3
            }
        }
    }

    @usableFromInline let call: Call
    @usableFromInline let mark = Resources.Mark("ContextListener")

    @inlinable init(_ call: Call) {
        self.call = call
    }

    /// Calls the listener, if it is of the kind that the outcome is for.
    @inlinable func receive(_ event: Event<ContextEvent<Model>>) {
        guard case .next(.outcome(let outcome)) = event, !isDropped.load(ordering: .acquiring) else { return }
        switch (call, outcome) {
        case (.completed(let listener), .data(let model)): listener(model)
        case (.failed(let listener), .failure(let error)): listener(error)
        case (.cancelled(let listener), .cancelled), (.deferred(let listener), .data), (.deferred(let listener), .failure): listener()
        default: break
        }
    }
}

/// The listeners of one context. Not generic, so that releasing it asks the runtime for no type. Used under the context's lock.
@usableFromInline struct ContextListeners {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let listener: AnyContextListener
        @usableFromInline let slot: LifetimeMember

        @inlinable init(listener: AnyContextListener, slot: LifetimeMember) {
            self.listener = listener
            self.slot = slot
        }
    }

    /// The latest of each kind: named, as an array would be allocated.
    @usableFromInline var latest: (Entry?, Entry?, Entry?, Entry?)
    @usableFromInline var others: [Entry] = []

    @inlinable init() {}

    /// Adds a listener, and gives the one that it replaces.
    @inlinable mutating func add(_ entry: Entry, rank: UInt8, keepsAll: Bool) -> Entry? {
        var before: Entry? = entry
        switch rank {
        case 0: swap(&latest.0, &before)
        case 1: swap(&latest.1, &before)
        case 2: swap(&latest.2, &before)
        default: swap(&latest.3, &before)
        }
        guard keepsAll, let before else { return before }
        others.append(before)
        return nil
    }

    /// Empties the list, and gives what was in it, to be released without the lock.
    mutating func takeAll() -> [Entry] {
        defer { self = Self() }
        return [latest.0, latest.1, latest.2, latest.3].compactMap { $0 } + others
    }
}
