import Schedulers

/// The latest element of one of the combined streams.
@usableFromInline
final class LatestSlot<Element: Sendable>: @unchecked Sendable {
    /// Law 2: used only inside the combiner's gate.
    @usableFromInline @exclusivity(unchecked) var element: Element?

    @inlinable
    init() {}

    /// The element; asked for only when every slot has one.
    @inlinable var latest: Element {
        guard let element else { preconditionFailure("a combined stream has no element yet") }
        return element
    }
}

/// Hears all streams of a `combineLatest`, one event at a time.
@usableFromInline
final class LatestCombiner<Result: Sendable>: @unchecked Sendable {
    @usableFromInline let gate = Serializer()
    @usableFromInline let downstream: AnyObserver<Result>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let result: @Sendable () throws -> Result
    /// The streams without an element, and those that have not completed. Law 2: used only inside the gate.
    @usableFromInline @exclusivity(unchecked) var missing: Int
    @usableFromInline @exclusivity(unchecked) var running: Int
    @usableFromInline @exclusivity(unchecked) var firstError: (any Error)?
    @usableFromInline let delayErrors: Bool
    private let mark = Resources.Mark("CombineLatest")

    @usableFromInline
    init(
        _ downstream: AnyObserver<Result>, _ lifetime: Lifetime, count: Int, delayErrors: Bool,
        _ result: @escaping @Sendable () throws -> Result
    ) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.result = result
        self.delayErrors = delayErrors
        missing = count
        running = count
    }

    @inlinable
    func start<Source: ObservableType>(_ source: Source, _ slot: LatestSlot<Source.Element>) {
        guard !lifetime.isDisposed else { return }
        let upstream = lifetime.child()
        source.asObservable().start(
            AnyObserver { [self] event in
                guard gate.tryEnter() else { return gate.enqueue { [self] in take(event, slot, upstream) } }
                take(event, slot, upstream)
                gate.leave()
            }, upstream)
    }

    @inlinable
    func take<Element>(_ event: Event<Element>, _ slot: LatestSlot<Element>, _ upstream: Lifetime) {
        guard !upstream.isDisposed else { return }
        switch event {
        case .next(let element):
            if slot.element == nil { missing -= 1 }
            slot.element = element
            guard missing == 0 else { return }
            do { downstream.onNext(try result()) } catch { downstream.onError(error) }
        case .error(let error):
            guard delayErrors else { return downstream.onError(error) }
            firstError = firstError ?? error
            end(upstream, isEmpty: slot.element == nil)
        case .completed: end(upstream, isEmpty: slot.element == nil)
        }
    }

    /// One stream less; without an element of it there can be no more results.
    @usableFromInline
    func end(_ upstream: Lifetime, isEmpty: Bool) {
        upstream.end()
        running -= 1
        guard running == 0 || isEmpty else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}
