import Schedulers
import Synchronization

/// Merges several upstreams: the join of `merge`, `flatMap` and the operators derived from them.
///
/// The join completes when all upstreams have terminated; the outer stream of a `flatMap` is one of them.
@usableFromInline
final class MergeJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    @usableFromInline let delayErrors: Bool
    /// The number of upstreams that have not terminated. A thread that adds an upstream increments it; the handling of its terminal event
    /// decrements it.
    @usableFromInline let active: Atomic<Int>
    /// Law 2: used only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) var firstError: (any Error)?
    @usableFromInline let mark = Resources.Mark("MergeJoin")

    /// Creates the join of `active` upstreams, none of which has been subscribed to.
    @inlinable
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, active: Int = 1, delayErrors: Bool = false) {
        self.delayErrors = delayErrors
        self.active = Atomic(active)
        super.init(downstream, lifetime)
    }

    /// Whether any upstream besides the outer stream of a `flatMap`, which is emitting, is active.
    @inlinable var hasInner: Bool { active.load(ordering: .relaxed) > 1 }

    /// Counts an upstream, which must then be passed to `subscribe(to:)`.
    @inlinable
    func add() {
        active.add(1, ordering: .relaxed)
    }

    /// Subscribes to a counted upstream.
    @inlinable
    func subscribe(to source: Observable<Element>) {
        let upstream = JoinUpstream(of: self, in: gate)
        // An earlier source may have terminated the operator while it was being subscribed to.
        guard upstream.attach() else { return }
        source.start(
            AnyObserver.receiving { event in
                guard let event = event.take(in: upstream) else { return }
                let join = upstream.join
                join.serialize(consume event, with: join) { join, event in join.receive(event) }
            }, upstream)
    }

    /// Subscribes to a counted upstream. `finished` is called outside the serializer when that upstream has terminated and others are still
    /// active: streams that it starts are delivered synchronously, and can be disposed.
    @inlinable
    func subscribe(to source: Observable<Element>, finished: @escaping @Sendable () -> Void) {
        let upstream = LimitedUpstream(of: self, finished)
        guard upstream.attach() else { return }
        source.start(
            AnyObserver.receiving { event in
                guard let event = event.take(in: upstream) else { return }
                let join = upstream.join
                let isFinished = event.isCompleted || join.delayErrors && event.isStopEvent
                join.serialize(consume event, with: join) { join, event in join.receive(event) }
                if isFinished { upstream.finished() }
            }, upstream)
    }

    /// Counts an upstream, and subscribes to it.
    @inlinable @inline(__always)
    func merge(_ source: Observable<Element>) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        add()
        subscribe(to: source)
    }

    /// Handles an event of a counted upstream. Called inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>) {
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): if keepOrEmit(error) { remove() }
        case .completed: remove()
        }
    }

    /// Handles the terminal event of a counted upstream in serial order, after its elements.
    @inlinable
    func terminate(_ event: Event<Element>) {
        serialize(event, with: self) { join, event in join.receive(event) }
    }

    /// Handles, in serial order, an error that terminates none of the counted upstreams.
    @usableFromInline
    override func fail(with error: any Error) {
        serialize(error, with: self) { join, error in _ = join.keepOrEmit(error) }
    }

    /// Keeps an error for the end if errors are delayed, and emits it otherwise. Called inside the serializer only.
    @usableFromInline
    func keepOrEmit(_ error: any Error) -> Bool {
        guard delayErrors else {
            downstream.onError(error)
            return false
        }
        firstError = firstError ?? error
        return true
    }

    /// Decrements the number of upstreams. Called inside the serializer only.
    @inlinable
    func remove() {
        guard active.subtract(1, ordering: .relaxed).newValue == 0 else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}

/// The lifetime of an upstream whose end lets another one begin.
@usableFromInline
final class LimitedUpstream<Element: Sendable>: Lifetime, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline let join: MergeJoin<Element>
    @usableFromInline let finished: @Sendable () -> Void

    @inlinable
    init(of join: MergeJoin<Element>, _ finished: @escaping @Sendable () -> Void) {
        self.join = join
        self.finished = finished
        super.init(of: join.gate)
    }

    @usableFromInline
    override func memberWasAbandoned() {
        leaveIfAbandoned()
    }
}
