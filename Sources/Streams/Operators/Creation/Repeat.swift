import Schedulers

extension Observable {
    /// Emits `element` repeatedly until the subscription is disposed, each time as an action of `scheduler`.
    ///
    /// ```swift
    /// Observable.repeatElement("a").take(3)
    /// // (aaa|)
    /// ```
    ///
    /// Without a scheduler it emits while subscribing, on a trampoline that does not grow the stack.
    /// Source: [ReactiveX, Repeat](https://reactivex.io/documentation/operators/repeat.html).
    @inlinable
    public static func repeatElement(
        _ element: Element, scheduler: any Scheduler = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        emitting(on: scheduler) { { element } }
    }

    /// Emits `initialState` and the repeated results of `iterate` while `condition` holds, and completes; fails if a closure throws.
    ///
    /// ```swift
    /// Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
    /// // (1248|)
    /// ```
    ///
    /// Emits synchronously while subscribing. Source: [ReactiveX, Generate](https://reactivex.io/documentation/operators/generate.html).
    @inlinable
    public static func generate(
        initialState: Element,
        condition: @escaping @Sendable (Element) throws -> Bool,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let latest = SerialState<Element?>(nil)
            lifetime.emitEach {
                do {
                    let element = try latest.value.map(iterate) ?? initialState
                    latest.value = element
                    if try condition(element) {
                        downstream.onNext(element)
                        return true
                    }
                    downstream.onCompleted()
                } catch { downstream.onError(error) }
                return false
            }
        }
    }

    /// Emits `initialState` and the repeated results of `iterate`, each as an action of `scheduler`; otherwise like
    /// ``generate(initialState:condition:iterate:)``.
    @inlinable
    public static func generate(
        initialState: Element,
        condition: @escaping @Sendable (Element) throws -> Bool,
        scheduler: any Scheduler,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Observable<Element> {
        emitting(on: scheduler) {
            var latest: Element?
            return {
                let element = try latest.map(iterate) ?? initialState
                latest = element
                return try condition(element) ? element : nil
            }
        }
    }
}

extension ObservableType {
    /// Subscribes to this stream `count` times in total, each time when the previous subscription has completed; without a count,
    /// indefinitely.
    ///
    /// ```swift
    /// poll.repeat(count: 2)
    /// // --1|
    /// // --1--1|
    /// ```
    ///
    /// Fails at the first error. Completes immediately if `count` is below 1. Each subscription is disposed before the next begins; sources
    /// that complete synchronously do not grow the stack. Source: [ReactiveX,
    /// Repeat](https://reactivex.io/documentation/operators/repeat.html).
    @inlinable
    public func `repeat`(count: Int = .max) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let left = SerialState(count)
            SequenceSubscriber(downstream, lifetime) { event in
                guard case .completed = event, left.value > 0 else { return nil }
                if left.value < .max { left.value -= 1 }
                return .next(source)
            }.run()
        }
    }
}
