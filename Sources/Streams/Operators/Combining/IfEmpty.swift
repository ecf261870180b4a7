import Synchronization

extension ObservableType {
    /// Emits `element` if upstream completes without one.
    ///
    /// ```swift
    /// letters.ifEmpty(default: "p")
    /// // -------|
    /// // -------(p|)
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, DefaultIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    @inlinable
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: Observable.just(element))
    }

    /// Emits `element` if upstream completes without one: ``ifEmpty(default:)`` under the name that goes with `replaceError` and
    /// `replaceNil`.
    @inlinable
    public func replaceEmpty(with element: Element) -> Observable<Element> {
        ifEmpty(default: element)
    }

    /// Continues with `other` if upstream completes without an element; upstream is disposed before.
    ///
    /// ```swift
    /// letters.ifEmpty(switchTo: quotes)
    /// // letters --|
    /// // quotes  -a--b--|
    /// //         ----b--|        quotes is hot
    /// ```
    ///
    /// Source: [RxJava, switchIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    @inlinable
    public func ifEmpty(switchTo other: some ObservableConvertibleType<Element>) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return Observable { downstream, lifetime in
            let upstream = PossiblyEmptyUpstream()
            source.subscribe(in: lifetime.child()) { event in
                guard event.isCompleted, upstream.isEmpty else {
                    upstream.noteEvent()
                    return downstream.on(event)
                }
                if upstream.finishOne() { other.startLast(downstream, lifetime) }
            }
            if upstream.finishOne(), !lifetime.isDisposed { other.startLast(downstream, lifetime) }
        }
    }
}

/// The first upstream of `ifEmpty(switchTo:)`. The other follows when this has completed and its start has returned, so that what it has
/// registered is disposed.
@usableFromInline
final class PossiblyEmptyUpstream: Sendable {
    @usableFromInline let hasEvents = Atomic(false)
    @usableFromInline let unfinished = Atomic(2)

    @inlinable
    init() {}

    // Law 2: its events come one at a time.
    @inlinable var isEmpty: Bool { !hasEvents.load(ordering: .relaxed) }

    @inlinable
    func noteEvent() { hasEvents.store(true, ordering: .relaxed) }

    /// Counts the completion, or the return of the start; returns whether it is the second of them.
    @inlinable
    func finishOne() -> Bool { unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
