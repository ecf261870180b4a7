import Schedulers

extension ObservableType {
    /// Subscribes again each time the stream returned by `notificationHandler` emits; terminates when that terminates.
    ///
    /// ```swift
    /// request.retry(when: { errors in errors.delay(.seconds(2), scheduler: scheduler) }).take(2)
    /// // -1#
    /// // -1---(1|)
    /// ```
    ///
    /// The closure is called when subscribing, and its stream is subscribed to before the first attempt. One attempt runs at a time: elements
    /// that the trigger emits meanwhile are ignored, and its termination takes effect at the next error. Each attempt is disposed before its
    /// error is passed on. Sources that fail synchronously do not grow the stack.
    /// Source: [ReactiveX, RetryWhen](https://reactivex.io/documentation/operators/retry.html).
    @inlinable
    public func retry<Trigger: ObservableConvertibleType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
    ) -> Observable<Element> {
        retry(as: (any Error).self, when: notificationHandler)
    }

    /// Subscribes again each time the stream returned by `notificationHandler` emits, after errors of one type; fails with any other error.
    ///
    /// ```swift
    /// request.retry(as: ResponseError.self, when: { errors in errors.delay(.seconds(2), scheduler: scheduler) })
    /// // -1#
    /// // -1#         the error is no ResponseError
    /// ```
    ///
    /// Otherwise like ``retry(when:)``. Source: [ReactiveX, RetryWhen](https://reactivex.io/documentation/operators/retry.html).
    @inlinable
    public func retry<Failure: Error, Trigger: ObservableConvertibleType>(
        as type: Failure.Type, when notificationHandler: @escaping @Sendable (Observable<Failure>) throws -> Trigger
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let errors = PublishSubject<Failure>()
            let trigger: Trigger
            do { trigger = try notificationHandler(errors.asObservable()) } catch { return downstream.onError(error) }
            let serializer = SharedSerializer(lifetime)
            // While an attempt runs, only the attempt emits downstream; between two attempts, only the trigger does. An attempt's elements
            // need not be serialized.
            let state = SerialState((isRunning: true, triggerEnd: Event<Element>?.none))
            @Sendable func attempt() {
                source.subscribe(in: serializer.gate.child()) { event in
                    guard case .error(let error) = event else { return downstream.on(event) }
                    serializer.run {
                        guard let error = error as? Failure else { return downstream.onError(error) }
                        state.value.isRunning = false
                        if let triggerEnd = state.value.triggerEnd { return downstream.on(triggerEnd) }
                        errors.onNext(error)
                    }
                }
            }
            serializer.subscribe(toIndependent: trigger.asObservable()) { event in
                guard event.isStopEvent else {
                    guard !state.value.isRunning else { return }
                    state.value.isRunning = true
                    return lifetime.isSuspended ? serializer.runWhenResumed(attempt) : attempt()
                }
                let triggerEnd = event.error.map { Event<Element>.error($0) } ?? .completed
                state.value.triggerEnd = triggerEnd
                if !state.value.isRunning { downstream.on(triggerEnd) }
            }
            serializer.run { attempt() }
        }
    }
}
