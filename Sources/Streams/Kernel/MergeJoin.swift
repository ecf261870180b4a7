import Schedulers
import Synchronization

/// Emits what several upstreams emit: the join of `merge`, `flatMap` and their kin.
///
/// It completes when no upstream is left; the outer stream of a `flatMap` is one of them.
@usableFromInline
final class MergeJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    @usableFromInline let delayErrors: Bool
    /// The upstreams that have not terminated. Goes up when one is added, on any thread, and down at the turn of its terminal event.
    @usableFromInline let active: Atomic<Int>
    /// Law 2: used only inside the serializer.
    @usableFromInline @exclusivity(unchecked) var firstError: (any Error)?
    private let mark = Resources.Mark("MergeJoin")

    /// Makes the join of `active` upstreams, all of which have yet to be subscribed to.
    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, active: Int = 1, delayErrors: Bool = false) {
        self.delayErrors = delayErrors
        self.active = Atomic(active)
        super.init(downstream, lifetime, gate: lifetime.gatedChild())
    }

    /// Whether more than the outer stream of a `flatMap`, which emits, is active.
    @inlinable var hasInner: Bool { active.load(ordering: .relaxed) > 1 }

    /// Counts an upstream that `subscribe(to:)` is to be called with.
    @inlinable
    func add() {
        active.add(1, ordering: .relaxed)
    }

    /// Subscribes to an upstream that is counted.
    @inlinable
    func subscribe(to source: Observable<Element>) {
        let upstream = JoinUpstream(of: self, in: gate ?? lifetime)
        // A previous source may have terminated the operator while it was being subscribed to.
        guard upstream.attach() else { return }
        source.start(
            AnyObserver.receiving { event in
                let event = event.take()
                guard upstream.admits(event) else { return }
                let join = upstream.join
                join.perform(consume event, with: join) { join, event in join.receive(event) }
            }, upstream)
    }

    /// Subscribes to an upstream that is counted; `finished` runs when it has terminated and the others go on, outside the serializer.
    @inlinable
    func subscribe(to source: Observable<Element>, finished: @escaping @Sendable () -> Void) {
        subscribe(to: source, finished: finished, alsoByError: delayErrors) { [self] event in receive(event) }
    }

    /// Subscribes to an upstream that is not counted yet.
    @inlinable @inline(__always)
    func merge(_ source: Observable<Element>) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        add()
        subscribe(to: source)
    }

    /// Handles an event of a counted upstream. Inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>) {
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): if keeps(error) { remove() }
        case .completed: remove()
        }
    }

    /// Handles the terminal event of a counted upstream serially, after everything that it emitted before.
    @usableFromInline
    func terminate(_ event: Event<Element>) {
        perform(event, with: self) { join, event in join.receive(event) }
    }

    /// Handles an error that terminates no counted upstream, serially.
    @usableFromInline
    override func fail(with error: any Error) {
        perform(error, with: self) { join, error in _ = join.keeps(error) }
    }

    /// Keeps an error for the end if errors are delayed, and emits it otherwise. Inside the serializer only.
    @usableFromInline
    func keeps(_ error: any Error) -> Bool {
        guard delayErrors else {
            downstream.onError(error)
            return false
        }
        firstError = firstError ?? error
        return true
    }

    /// Counts one upstream less. Inside the serializer only.
    @usableFromInline
    func remove() {
        guard active.subtract(1, ordering: .relaxed).newValue == 0 else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}
