import Schedulers
import Synchronization

/// What is behind a context: `cancel()` disposes it.
protocol ContextOperation: Disposable {
    /// Whether nothing more comes of it.
    var hasEnded: Bool { get }

    /// Lets go without cancelling anything upstream.
    func abandon()

    /// Gives what runs it once more, and holds whom it needs for that; nil if it cannot run again.
    func restarter() -> (@Sendable () -> Void)?
}

/// The operation of a context that was made from a stream: a subscription, which can be made anew.
final class StreamOperation<Model: Sendable>: ContextOperation {
    private struct State {
        /// Nil once this was disposed.
        var source: Observable<Model>?
        /// The running subscription; nil when it has ended.
        var lifetime: Lifetime?
    }

    private let state: Lock<State>
    private weak let context: Context<Model>?
    private let mark = Resources.Mark("StreamOperation")

    init(_ source: Observable<Model>, of context: Context<Model>) {
        state = Lock(State(source: source))
        self.context = context
    }

    var hasEnded: Bool {
        state.withLock { $0.lifetime == nil }
    }

    /// Subscribes, in place of a subscription that may still run, and emits into `context`.
    func start(into context: Context<Model>) {
        let lifetime = Lifetime()
        let (source, before) = state.withLock { state -> (Observable<Model>?, Lifetime?) in
            let before = state.lifetime
            if state.source != nil { state.lifetime = lifetime }
            return (state.source, before)
        }
        before?.dispose()
        source?.start(
            AnyObserver { [self] event in
                guard event.isStopEvent ? lifetime.end() : !lifetime.isDisposed else { return }
                if event.isStopEvent { end(lifetime) }
                switch event {
                case .next(let element): context.accept(.data(element))
                case .error(let error): context.accept(.failure(error))
                case .completed: break
                }
            }, lifetime)
    }

    func dispose() {
        let held = state.withLock { state -> State in
            defer { state = State() }
            return state
        }
        held.lifetime?.dispose()
    }

    func abandon() {
        dispose()
    }

    func restarter() -> (@Sendable () -> Void)? {
        guard let context, state.withLock({ $0.source != nil }) else { return nil }
        return { [self] in start(into: context) }
    }

    private func end(_ lifetime: Lifetime) {
        let ended = state.withLock { state in
            state.lifetime === lifetime ? state.lifetime.take() : nil
        }
        withExtendedLifetime(ended) {}
    }
}

/// The operation of a derived context: its subscription to what it was derived from, and its handles for cancelling that.
final class Derivation: ContextOperation {
    /// Ends when the derived context is cancelled, or when everything upstream is gone.
    let lifetime = Lifetime()
    /// The log of the derived context.
    let journal: Journal
    private let links = Lock<[any UpstreamLink]>([])
    private let hasSettled = Atomic<Bool>(false)
    private let restarts = Atomic<Int>(0)
    private let restartHook = Lock<(@Sendable () -> Void)?>(nil)
    private let mark = Resources.Mark("Derivation")

    init(journal: Journal) {
        self.journal = journal
    }

    /// How often a restart was asked for through this derivation.
    var restartsAsked: Int {
        restarts.load(ordering: .acquiring)
    }

    /// Says that what came from upstream has had its effect: while nothing has, the operation counts as running.
    func settle() {
        hasSettled.store(true, ordering: .releasing)
    }

    /// Has `hook` called just before the operation runs once more.
    func onRestart(_ hook: @escaping @Sendable () -> Void) {
        restartHook.withLock { $0 = hook }
    }

    var hasEnded: Bool {
        guard hasSettled.load(ordering: .acquiring) else { return false }
        return links.withLock { $0 }.allSatisfy { $0.hasEnded }
    }

    func dispose() {
        lifetime.dispose()
    }

    func abandon() {
        for link in links.withLock({ $0 }) {
            link.disarm()
        }
        lifetime.dispose()
    }

    func restarter() -> (@Sendable () -> Void)? {
        let upstream = links.withLock { $0 }.compactMap { $0.restarter() }
        guard !upstream.isEmpty else { return nil }
        restarts.add(1, ordering: .acquiringAndReleasing)
        return { [self] in
            restartHook.withLock { $0 }?()
            for restart in upstream {
                restart()
            }
        }
    }

    fileprivate func add(_ link: any UpstreamLink) {
        links.withLock { $0.append(link) }
    }

    fileprivate func remove(_ link: any UpstreamLink) {
        links.withLock { $0.removeAll { $0 === link } }
    }
}

/// A derived context's weak handle on one of the contexts that it hears.
protocol UpstreamLink: Disposable {
    var hasEnded: Bool { get }

    /// Lets go without cancelling.
    func disarm()

    func restarter() -> (@Sendable () -> Void)?
}

/// The handle itself: disposing it cancels upstream, once.
final class ContextLink<Model: Sendable>: UpstreamLink {
    private weak let source: Context<Model>?
    private let derivation: Derivation
    private let journal: Journal
    /// Whether the derived context was made from this one, rather than started it for an outcome.
    private let isOrigin: Bool
    private let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    init(_ source: Context<Model>, _ derivation: Derivation, isOrigin: Bool) {
        self.source = source
        self.derivation = derivation
        self.isOrigin = isOrigin
        journal = source.journal
        derivation.journal.add(journal)
        derivation.add(self)
        source.join()
    }

    var hasEnded: Bool {
        source?.hasEnded ?? true
    }

    func leads(to other: AnyObject) -> Bool {
        source === other
    }

    func dispose() {
        leave(cancelling: true)
    }

    func disarm() {
        leave(cancelling: false)
    }

    func restarter() -> (@Sendable () -> Void)? {
        isOrigin ? source?.restarter() : nil
    }

    private func leave(cancelling: Bool) {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        derivation.remove(self)
        derivation.journal.removeIfEmpty(journal)
        source?.leave(cancelling: cancelling)
    }
}
