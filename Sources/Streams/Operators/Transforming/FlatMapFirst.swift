import Schedulers

extension ObservableType {
    /// Makes a stream of an element and sends its elements; an element that comes while that stream runs is left out.
    ///
    /// ```swift
    /// letters.flatMapFirst { letter in load(letter) }
    /// // -a-b---c-----|        each is loaded for three seconds
    /// // ----a-----c--|
    /// ```
    ///
    /// Completes when upstream and the inner stream have. An error or a throw ends it at once and lets both go.
    /// Source: [RxSwift, flatMapFirst; RxJS, exhaustMap](https://rxjs.dev/api/operators/exhaustMap).
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
