import Schedulers

/// The four kinds of listeners of a context, in the order in which they are called.
enum ListenerKind: Int {
    case completed, failed, cancelled, deferred

    /// Whether a listener of this kind is called for `outcome`.
    func hears<Model>(_ outcome: Outcome<Model>) -> Bool {
        switch (self, outcome) {
        case (.completed, .data), (.failed, .failure), (.cancelled, .cancelled), (.deferred, .data), (.deferred, .failure): true
        default: false
        }
    }
}

/// One registered listener.
final class ContextListener<Model: Sendable>: Sendable {
    let kind: ListenerKind
    /// Entered while the stored outcome is being replayed; what is accepted meanwhile waits behind it.
    let opening = SerialEntrance()
    private let isDropped = BooleanDisposable()
    private let handler: @Sendable (Outcome<Model>) -> Void
    private let mark = Resources.Mark("ContextListener")

    init(_ kind: ListenerKind, _ handler: @escaping @Sendable (Outcome<Model>) -> Void) {
        self.kind = kind
        self.handler = handler
    }

    func drop() {
        isDropped.dispose()
    }

    func receive(_ outcome: Outcome<Model>) {
        guard opening.isIdle else { return opening.enqueue { [self] in replay(outcome) } }
        replay(outcome)
    }

    /// Calls the handler, if this kind listens to `outcome`.
    func replay(_ outcome: Outcome<Model>) {
        guard kind.hears(outcome), !isDropped.isDisposed else { return }
        LockProbe.expectNoLock()
        handler(outcome)
    }
}

/// The listeners of one context. Law 2: used only inside the context's entrance.
struct ContextListeners<Model: Sendable> {
    private var listeners: [ContextListener<Model>] = []
    /// Whether a new listener leaves those of its kind in place.
    private let keepsAll: Bool

    init(keepsAll: Bool) {
        self.keepsAll = keepsAll
    }

    mutating func add(_ listener: ContextListener<Model>) {
        if !keepsAll { drop { $0.kind == listener.kind } }
        let place = listeners.firstIndex { $0.kind.rawValue > listener.kind.rawValue } ?? listeners.endIndex
        listeners.insert(listener, at: place)
    }

    mutating func drop(where isOut: (ContextListener<Model>) -> Bool) {
        for listener in listeners where isOut(listener) {
            listener.drop()
        }
        listeners.removeAll(where: isOut)
    }

    /// The listeners as they are now; they may change while these are called.
    var current: [ContextListener<Model>] { listeners }
}
