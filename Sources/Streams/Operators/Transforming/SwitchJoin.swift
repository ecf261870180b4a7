import Schedulers

/// Emits the elements of the latest of its upstreams: the join of `flatMapLatest`.
///
/// The latest upstream is owned by the outer stream, whose events replace it. The join, which each upstream references, records only whether
/// another upstream may follow.
@usableFromInline
final class SwitchJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    @usableFromInline typealias Upstream = JoinUpstream<SwitchJoin>

    /// The lifetime of the outer stream, with the latest upstream. Law 2: that is accessed where the outer stream emits.
    @usableFromInline
    class Outer: Lifetime, @unchecked Sendable {
        @usableFromInline final let join: SwitchJoin
        @usableFromInline @safe @exclusivity(unchecked) final var latest: Upstream?

        @inlinable
        init(of join: SwitchJoin) {
            self.join = join
            super.init(of: join.gate)
            attach()
        }

        @usableFromInline
        final override func memberWasAbandoned() {
            leaveIfAbandoned()
        }
    }

    /// Such a lifetime with the closure that maps the elements of the outer stream: its observer captures nothing else, so it is not
    /// allocated.
    @usableFromInline
    final class SelectingOuter<Source: Sendable, Inner: ObservableConvertibleType<Element>>: Outer, @unchecked Sendable {
        // Law 9: stored properties are constants.
        @usableFromInline let selector: @Sendable (Source) throws -> Inner

        @inlinable
        init(of join: SwitchJoin, _ selector: @escaping @Sendable (Source) throws -> Inner) {
            self.selector = selector
            super.init(of: join)
        }
    }

    /// Law 2: accessed only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) var isOuterCompleted = false
    private let mark = Resources.Mark("SwitchJoin")

    @usableFromInline
    override init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        super.init(downstream, lifetime)
    }

    /// Subscribes to the stream whose elements are switched to.
    @inlinable @inline(__always)
    func subscribe<Source, Inner: ObservableConvertibleType<Element>>(
        toOuter source: Observable<Source>, _ selector: @escaping @Sendable (Source) throws -> Inner
    ) {
        let outer = SelectingOuter(of: self, selector)
        source.start(
            .receiving { event in
                guard let event = event.take(in: outer) else { return }
                let join = outer.join
                switch consume event {
                case .next(let element):
                    join.disposeLatest(of: outer)
                    do { join.switchTo(try outer.selector(element).asInnerObservable(), outer) } catch { join.fail(with: error) }
                case .error(let error): join.fail(with: error)
                case .completed: join.complete(outer)
                }
            }, outer)
    }

    /// Disposes the latest upstream serially, after the events that it has emitted. A queued disposal is an input of the outer stream,
    /// which is suspended while many inputs are queued.
    @inlinable
    func disposeLatest(of outer: Outer) {
        if serializer.isIdle {
            outer.latest?.dispose()
        } else if let upstream = outer.latest.take() {
            enqueueInput { upstream.dispose() }
        }
    }

    /// Subscribes to the next upstream.
    @inlinable
    func switchTo(_ source: Observable<Element>, _ outer: Outer) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        let upstream = Upstream.begin(for: self, in: gate, reusing: &outer.latest)
        // The observer owns the upstream, so the call need not retain it once more: it remains the latest.
        let upstreamLifetime = unsafe Unmanaged.passUnretained(upstream)
        let observer = AnyObserver<Element>.receiving { [upstream = consume upstream] event in
            let event = event.take()
            guard !upstream.isDisposed else { return }
            let join = upstream.join
            join.serialize((consume event, upstream), with: join) { join, input in join.receive(input.0, from: input.1) }
        }
        unsafe upstreamLifetime._withUnsafeGuaranteedRef { source.start(observer, $0) }
    }

    /// Handles an event of an upstream; a disposed one emits nothing. Called inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>, from upstream: Upstream) {
        guard !upstream.isDisposed else { return }
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): downstream.onError(error)
        case .completed:
            upstream.dispose()
            if isOuterCompleted { downstream.onCompleted() }
        }
    }

    /// Completes when the latest upstream has.
    @usableFromInline
    func complete(_ outer: Outer) {
        run { [self] in
            isOuterCompleted = true
            if outer.latest?.isDisposed ?? true { downstream.onCompleted() }
        }
    }
}
