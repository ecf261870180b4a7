import Schedulers

extension ObservableType {
    /// Subscribes again each time the stream that `notificationHandler` makes of the errors sends an element; its end is the end.
    ///
    /// ```swift
    /// request.retry(when: { errors in errors.delay(.seconds(2), scheduler: scheduler) }).take(2)
    /// // -1#
    /// // -1---(1|)
    /// ```
    ///
    /// Each attempt is let go before its error is handed over. Sources that fail in place do not grow the stack.
    /// Source: [ReactiveX, RetryWhen](https://reactivex.io/documentation/operators/retry.html).
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let attempts = Attempts(source, downstream, lifetime)
            let trigger: Trigger
            do { trigger = try notificationHandler(attempts.errors.asObservable()) } catch { return downstream.onError(error) }
            let notifier = lifetime.child()
            trigger.asObservable().start(
                AnyObserver { event in
                    guard !notifier.isDisposed else { return }
                    switch event {
                    case .next: attempts.begin()
                    case .error(let error): attempts.stop(with: .error(error), of: notifier)
                    case .completed: attempts.stop(with: .completed, of: notifier)
                    }
                }, notifier)
            attempts.begin()
        }
    }
}

/// The attempts of a `retry(when:)`, one after the other.
private final class Attempts<Element: Sendable>: Sendable {
    let errors = PublishSubject<any Error>()
    private let source: Observable<Element>
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    private let gate = Gate()
    private let turns = SerialEntrance()

    init(_ source: Observable<Element>, _ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.source = source
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Starts an attempt at its turn: after the one that is being started, not inside it (law 5).
    func begin() {
        turns.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            let upstream = lifetime.child()
            let output = gate.entering { [self] event in
                guard !lifetime.isDisposed else { return }
                downstream.on(event)
            }
            source.start(
                AnyObserver { [self] event in
                    guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                    guard case .error(let error) = event else { return output.on(event) }
                    errors.onNext(error)
                }, upstream)
        }
    }

    func stop(with event: Event<Element>, of notifier: Lifetime) {
        notifier.dispose()
        gate.run { [self] in
            guard !lifetime.isDisposed else { return }
            downstream.on(event)
        }
    }
}
