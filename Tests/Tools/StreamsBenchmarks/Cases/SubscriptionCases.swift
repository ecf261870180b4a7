import Streams

/// The cost of building a chain, of subscribing to it and of disposing the subscription.
enum SubscriptionCases {
    private static let idleSubscriptions = 1_000

    static var all: [Case] {
        [
            Case(name: "just, map, subscribe, once", limit: 18, prepare: justMap),
            Case(
                name: "subscribe to five operators, one event, dispose", limit: 45, allocationLimit: 9, operations: 5_000,
                prepare: fiveOperators),
            Case(
                name: "an idle subscription through five operators", liveBytesLimit: 420, instances: idleSubscriptions, deliveries: 0,
                prepare: idle),
            Case(
                name: "an idle subscription to map, filter, map", liveBytesLimit: 300, instances: idleSubscriptions, deliveries: 0,
                prepare: idleThree),
            Case(
                name: "100,000 subscriptions to map, filter, map of one subject, made and disposed, each", limit: 42, operations: 100_000,
                deliveries: 0, prepare: manySubscriptions),
            Case(name: "a context with an outcome and one listener", limit: 45, operations: 20_000, prepare: contextWithListener),
            Case(name: "share(): connect, one event, disconnect", limit: 40, operations: 5_000) { sink in
                connections(to: { $0.share() }, sink)
            },
            Case(name: "share(replay: 1): connect, one event, disconnect", limit: 40, operations: 5_000) { sink in
                connections(to: { $0.share(replay: 1) }, sink)
            },
            Case(name: "retry, one attempt of a hundred thousand", limit: 15, operations: 100_000, prepare: retry),
            Case(name: "repeat of just, one time", limit: 12, operations: 100_000, prepare: repeatJust),
        ]
    }

    private static func justMap(_ sink: Sink) -> Case.Workload {
        { count in
            for index in 0..<count {
                _ = Observable.just(index).map { $0 &+ 1 }.subscribe(onNext: { sink.take($0) })
            }
        }
    }

    private static func fiveOperators(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        return { count in
            for index in 0..<count {
                let subscription = subscribe(to: subject, sink)
                subject.onNext(index)
                subscription.dispose()
            }
        }
    }

    private static func idle(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        for _ in 0..<idleSubscriptions { bag.insert(subscribe(to: subject, sink)) }
        return { _ in withExtendedLifetime((subject, bag)) {} }
    }

    private static func idleThree(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        for _ in 0..<idleSubscriptions { bag.insert(subscribeToThree(of: subject, sink)) }
        return { _ in withExtendedLifetime((subject, bag)) {} }
    }

    private static func manySubscriptions(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        return { count in
            let subscriptions = (0..<count).map { _ in subscribeToThree(of: subject, sink) }
            for subscription in subscriptions { subscription.dispose() }
        }
    }

    @inline(__always)
    private static func subscribeToThree(of subject: PublishSubject<Int>, _ sink: Sink) -> any Disposable {
        subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 ^ 3 }.subscribe(onNext: { sink.take($0) })
    }

    @inline(__always)
    private static func subscribe(to subject: PublishSubject<Int>, _ sink: Sink) -> any Disposable {
        subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 ^ 3 }.distinctUntilChanged().scan(0) { $0 &+ $1 }
            .subscribe(onNext: { sink.take($0) })
    }

    private static func connections(to share: (Observable<Int>) -> Observable<Int>, _ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let shared = share(subject.asObservable())
        return { count in
            for index in 0..<count {
                let subscription = shared.subscribe(onNext: { sink.take($0) })
                subject.onNext(index)
                subscription.dispose()
            }
        }
    }

    private struct Failure: Error {}

    /// Each attempt emits an element and fails, all of it synchronously.
    private static func retry(_ sink: Sink) -> Case.Workload {
        let failure: any Error = Failure()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onError(failure)
            return Disposables.create()
        }
        return { count in
            _ = source.retry(count).subscribe(onNext: { sink.take($0) }, onError: { _ in })
        }
    }

    private static func repeatJust(_ sink: Sink) -> Case.Workload {
        { count in
            _ = Observable.just(1).repeat(count: count).subscribe(onNext: { sink.take($0) })
        }
    }

    private static func contextWithListener(_ sink: Sink) -> Case.Workload {
        { count in
            for index in 0..<count {
                Context.emit(data: index).onCompleted { sink.take($0) }
            }
        }
    }
}
