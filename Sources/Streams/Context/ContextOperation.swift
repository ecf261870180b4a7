import Schedulers
import Synchronization

/// What is behind a context: `cancel()` disposes it.
@usableFromInline
protocol ContextOperation: Disposable {
    /// Whether nothing more comes of it.
    var hasEnded: Bool { get }

    /// Lets go without cancelling anything upstream.
    func abandon()
}

/// Starts an operation once more, in a context of its own; nil if that cannot be done any more.
@usableFromInline
typealias Recipe<Model: Sendable> = @Sendable () -> Context<Model>?

/// The operation of a context that was made from a stream: a subscription.
final class StreamOperation: ContextOperation {
    private let lifetime = Lifetime()
    private let mark = Resources.Mark("StreamOperation")

    var hasEnded: Bool { lifetime.isDisposed }

    /// Subscribes to `source` and emits into `context`, which it lets go at the terminal event.
    func start<Model>(_ source: Observable<Model>, into context: Context<Model>) {
        let lifetime = lifetime
        source.start(
            AnyObserver { event in
                guard event.isStopEvent ? lifetime.end() : !lifetime.isDisposed else { return }
                switch event {
                case .next(let element): context.accept(.data(element))
                case .error(let error): context.accept(.failure(error))
                case .completed: break
                }
            }, lifetime)
    }

    func dispose() {
        lifetime.dispose()
    }

    func abandon() {
        lifetime.dispose()
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
    private let mark = Resources.Mark("Derivation")

    init(journal: Journal) {
        self.journal = journal
    }

    /// Says whether what came from upstream has had its effect; until it has, the operation counts as running.
    func settle(_ settled: Bool = true) {
        hasSettled.store(settled, ordering: .releasing)
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
}

/// The handle itself: disposing it cancels upstream, once.
final class ContextLink<Model: Sendable>: UpstreamLink {
    private weak let source: Context<Model>?
    private let derivation: Derivation
    private let journal: Journal
    private let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    init(_ source: Context<Model>, _ derivation: Derivation) {
        self.source = source
        self.derivation = derivation
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

    private func leave(cancelling: Bool) {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        derivation.remove(self)
        derivation.journal.removeIfEmpty(journal)
        source?.leave(cancelling: cancelling)
    }
}
