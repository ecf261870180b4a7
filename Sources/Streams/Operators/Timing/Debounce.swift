import Schedulers

extension ObservableType {
    /// Sends an element when nothing came after it for `dueTime`, on `scheduler`; a waiting element is sent when upstream completes,
    /// and dropped when it fails.
    ///
    /// ```swift
    /// letters.debounce(.seconds(2), scheduler: scheduler)
    /// // -ab---c---d|
    /// // ----b---c--(d|)
    /// ```
    ///
    /// Timer and upstream are let go at the end. Keeps one element, and plans one timer an element.
    /// Source: [ReactiveX, Debounce](https://reactivex.io/documentation/operators/debounce.html).
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        debounce(dueTime, scheduler: scheduler, passing: { _ in false })
    }

    /// The same for the elements for which `passes` is false; another one is sent at once, and drops what waits.
    func debounce(
        _ dueTime: Duration, scheduler: any Scheduler, passing passes: @escaping @Sendable (Element) -> Bool
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let waiting = SerialState<(element: Element, number: Int)?>(nil)
            let count = SerialState(0)
            let timer = SerialDisposable()
            lifetime.add(timer)
            start(
                serializer.observer { event in
                    switch event {
                    case .next(let element) where passes(element):
                        waiting.value = nil
                        downstream.onNext(element)
                    case .next(let element):
                        count.value += 1
                        let number = count.value
                        waiting.value = (element, number)
                        timer.disposable = scheduler.schedule(after: dueTime) {
                            serializer.run {
                                guard waiting.value?.number == number, let due = waiting.value.take() else { return }
                                downstream.onNext(due.element)
                            }
                        }
                    case .error(let error):
                        waiting.value = nil
                        downstream.onError(error)
                    case .completed:
                        if let last = waiting.value.take() { downstream.onNext(last.element) }
                        if !lifetime.isDisposed { downstream.onCompleted() }
                    }
                }, lifetime)
        }
    }
}
