import Schedulers
import Synchronization

/// The four kinds of listeners of a context, in the order in which they are called.
@usableFromInline
enum ListenerKind: Int, Sendable {
    case completed, failed, cancelled, deferred

    /// Whether a listener of this kind is called for `outcome`.
    @inlinable
    func hears<Model>(_ outcome: Outcome<Model>) -> Bool {
        switch (self, outcome) {
        case (.completed, .data), (.failed, .failure), (.cancelled, .cancelled), (.deferred, .data), (.deferred, .failure): true
        default: false
        }
    }
}

/// One registered listener.
@usableFromInline
final class ContextListener<Model: Sendable>: Sendable {
    @usableFromInline let kind: ListenerKind
    /// Entered while the stored outcome is being replayed; what is accepted meanwhile waits behind it.
    @usableFromInline let opening = SerialEntrance()
    @usableFromInline let isDropped = Atomic<Bool>(false)
    @usableFromInline let handler: @Sendable (Outcome<Model>) -> Void
    @usableFromInline let mark = Resources.Mark("ContextListener")

    @inlinable
    init(_ kind: ListenerKind, _ handler: @escaping @Sendable (Outcome<Model>) -> Void) {
        self.kind = kind
        self.handler = handler
    }

    /// Makes it hear nothing more.
    @inlinable
    func drop() {
        isDropped.store(true, ordering: .releasing)
    }

    @inlinable
    func receive(_ outcome: Outcome<Model>) {
        guard opening.isIdle else { return receiveWhileOpening(outcome) }
        call(with: outcome)
    }

    @usableFromInline
    func receiveWhileOpening(_ outcome: Outcome<Model>) {
        opening.enqueue { [self] in call(with: outcome) }
    }

    /// Replays the stored outcome, if there is one, and then lets through what was accepted meanwhile.
    @inlinable
    func open(with stored: Outcome<Model>?) {
        if let stored { call(with: stored) }
        opening.leave()
    }

    /// Calls the handler, if this kind listens to `outcome`.
    @inlinable
    func call(with outcome: Outcome<Model>) {
        guard kind.hears(outcome), !isDropped.load(ordering: .acquiring) else { return }
        LockProbe.expectNoLock()
        handler(outcome)
    }
}

/// The listeners of one context, by kind and then in the order of their registration. Used under the context's lock.
@usableFromInline
struct ContextListeners<Model: Sendable> {
    @usableFromInline
    struct Entry {
        @usableFromInline let listener: ContextListener<Model>
        /// The version of the context at the registration: only what was accepted later is delivered.
        @usableFromInline let since: UInt64

        @inlinable
        init(listener: ContextListener<Model>, since: UInt64) {
            self.listener = listener
            self.since = since
        }
    }

    @usableFromInline var entries: [Entry] = []
    /// Whether a new listener leaves those of its kind in place.
    @usableFromInline let keepsAll: Bool

    @inlinable
    init(keepsAll: Bool) {
        self.keepsAll = keepsAll
    }

    /// Adds a listener and gives the one that it replaces, to be released without the lock.
    @inlinable
    mutating func add(_ listener: ContextListener<Model>, since version: UInt64) -> ContextListener<Model>? {
        let entry = Entry(listener: listener, since: version)
        if !keepsAll, let place = entries.firstIndex(where: { $0.listener.kind == listener.kind }) {
            let replaced = entries[place].listener
            replaced.drop()
            entries[place] = entry
            return replaced
        }
        let place = entries.firstIndex { $0.listener.kind.rawValue > listener.kind.rawValue } ?? entries.endIndex
        entries.insert(entry, at: place)
        return nil
    }

    /// Makes all listeners deaf at once, and gives them, to be released without the lock.
    mutating func dropAll() -> [Entry] {
        for entry in entries {
            entry.listener.drop()
        }
        return takeAll()
    }

    /// Empties the list, without making deaf who is being called, and gives what was in it.
    @inlinable
    mutating func takeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}
