import Schedulers

extension ObservableType {
    /// Makes a stream of an element and sends its elements; elements that come while that stream runs are left out.
    ///
    /// ```swift
    /// refreshTaps.flatMapFirst { _ in load() }
    /// // --x-y-----z----|
    /// // ----a--b----c--|
    /// ```
    ///
    /// Completes when upstream and the running inner stream have; an error ends it at once.
    /// Source: [RxSwift, flatMapFirst](https://reactivex.io/documentation/operators/flatmap.html).
    public func flatMapFirst<Source: ObservableType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let start = asObservable().start
        return Observable<Source.Element> { downstream, lifetime in
            let merger = Merger(downstream, lifetime, active: 1)
            let turnstile = Turnstile()
            let outer = lifetime.child()
            start(
                AnyObserver { event in
                    guard !outer.isDisposed else { return }
                    switch event {
                    case .next(let element):
                        guard turnstile.enter() else { return }
                        merger.add()
                        do {
                            merger.start(try selector(element).asObservable(), finished: turnstile.leave)
                        } catch { merger.failToStart(error) }
                    case .error(let error): merger.stop(with: .error(error), of: outer)
                    case .completed: merger.stop(with: .completed, of: outer)
                    }
                }, outer)
        }
    }
}

/// Lets one in at a time, and turns the others away.
private final class Turnstile: Sendable {
    private let isTaken = Lock(false)

    func enter() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    @Sendable
    func leave() {
        isTaken.withLock { $0 = false }
    }
}
