import Schedulers

extension ObservableType {
    /// Emits the last `count` elements when upstream completes; an error drops them. A negative count is treated as 0.
    ///
    /// ```swift
    /// numbers.takeLast(2)
    /// // --1--2--3--|
    /// // -----------(23|)
    /// ```
    ///
    /// `takeLast(0)` subscribes, too, and completes when upstream does. Runs where upstream emits; stores `count` elements.
    /// Source: [ReactiveX, TakeLast](https://reactivex.io/documentation/operators/takelast.html).
    @inlinable
    public func takeLast(_ count: Int) -> Observable<Element> {
        asObservable()._takeLast(now: { .zero }, isSurplus: { waiting, _ in waiting > count })
    }

    /// Emits, when upstream completes, the elements received in the last `duration`, by the clock of `scheduler`; an error drops them.
    ///
    /// ```swift
    /// numbers.takeLast(for: .seconds(5), scheduler: scheduler)
    /// // --1--2--3-|
    /// // ----------(23|)
    /// ```
    ///
    /// Runs where upstream emits; stores the elements of that time.
    /// Source: [ReactiveX, TakeLast](https://reactivex.io/documentation/operators/takelast.html).
    @inlinable
    public func takeLast(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        asObservable()._takeLast(now: { scheduler.now }, isSurplus: { _, age in age > duration })
    }
}

extension Observable {
    @inlinable
    func _takeLast(
        now: @escaping @Sendable () -> Duration, isSurplus: @escaping @Sendable (_ waiting: Int, _ age: Duration) -> Bool
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let waiting = SerialState(ElementQueue<(element: Element, time: Duration)>())
            @Sendable func dropSurplus(_ now: Duration) {
                while let first = waiting.value.first, isSurplus(waiting.value.count, now - first.time) {
                    _ = waiting.value.popFirst()
                }
            }
            subscribe(in: lifetime.child()) { event in
                switch event {
                case .next(let element):
                    let now = now()
                    waiting.value.append((element, now))
                    dropSurplus(now)
                case .error(let error): downstream.onError(error)
                case .completed:
                    dropSurplus(now())
                    lifetime.emitEach {
                        guard let last = waiting.value.popFirst() else {
                            downstream.onCompleted()
                            return false
                        }
                        downstream.onNext(last.element)
                        return true
                    }
                }
            }
        }
    }
}
