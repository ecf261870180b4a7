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
    /// One attempt runs at a time: elements that the trigger emits meanwhile are ignored, and its termination takes effect at the next
    /// error. Each attempt is disposed before its error is passed on. Sources that fail synchronously do not grow the stack.
    /// Source: [ReactiveX, RetryWhen](https://reactivex.io/documentation/operators/retry.html).
    public func retry<Trigger: ObservableConvertibleType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
    ) -> Observable<Element> {
        asObservable()._retry(as: (any Error).self, when: notificationHandler)
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
    public func retry<Failure: Error, Trigger: ObservableConvertibleType>(
        as type: Failure.Type, when notificationHandler: @escaping @Sendable (Observable<Failure>) throws -> Trigger
    ) -> Observable<Element> {
        asObservable()._retry(as: type, when: notificationHandler)
    }
}

extension Observable {
    fileprivate func _retry<Failure: Error, Trigger: ObservableConvertibleType>(
        as type: Failure.Type, when notificationHandler: @escaping @Sendable (Observable<Failure>) throws -> Trigger
    ) -> Observable<Element> {
        let source = self
        return Observable { downstream, lifetime in
            let attempts = Attempts<Element, Failure>(source, downstream, lifetime)
            let trigger: Trigger
            do { trigger = try notificationHandler(attempts.errors.asObservable()) } catch { return downstream.onError(error) }
            let notifier = lifetime.child()
            trigger.asObservable().start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard notifier.admits(event) else { return }
                    attempts.receive(event.map { _ in })
                }, notifier)
            attempts.begin()
        }
    }
}

/// The attempts of a `retry(when:)`, one after the other.
///
/// While an attempt runs only that emits downstream, and between two attempts only the trigger: an attempt's elements need not be serialized.
private final class Attempts<Element: Sendable, Failure: Error>: Sendable {
    let errors = PublishSubject<Failure>()
    private let source: Observable<Element>
    private let downstream: AnyObserver<Element>
    private let serializer: SharedSerializer
    /// Initially `true`: the first attempt starts when the trigger is subscribed to.
    private let isRunning = SerialState(true)
    /// The terminal event of the trigger.
    private let triggerEnd = SerialState<Event<Element>?>(nil)

    init(_ source: Observable<Element>, _ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.source = source
        self.downstream = downstream
        serializer = SharedSerializer(lifetime)
    }

    /// Starts the first attempt.
    func begin() {
        serializer.run { [self] in start() }
    }

    /// Handles an event of the trigger.
    func receive(_ event: Event<Void>) {
        serializer.run { [self] in
            switch event {
            case .next:
                guard !isRunning.value else { return }
                isRunning.value = true
                start()
            case .error(let error): end(with: .error(error))
            case .completed: end(with: .completed)
            }
        }
    }

    private func end(with event: Event<Element>) {
        triggerEnd.value = event
        if !isRunning.value { downstream.on(event) }
    }

    /// Inside the serializer: an attempt that fails synchronously is followed after this call, not inside it (law 5).
    private func start() {
        let upstream = serializer.lifetime.child()
        source.start(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard upstream.admits(event) else { return }
                guard case .error(let error) = event else { return downstream.on(event) }
                serializer.run { [self] in fail(with: error) }
            }, upstream)
    }

    private func fail(with error: any Error) {
        guard let error = error as? Failure else { return downstream.onError(error) }
        isRunning.value = false
        if let triggerEnd = triggerEnd.value { return downstream.on(triggerEnd) }
        errors.onNext(error)
    }
}
