import Streams

/// What it costs to build a chain, to subscribe to it and to let it go.
enum SubscriptionCases {
    static var all: [Case] {
        [
            Case(name: "just, map, subscribe, once", limit: 18, prepare: justMap),
            Case(name: "subscribe to five operators, one event, dispose", limit: 75, operations: 5_000, prepare: fiveOperators),
            Case(name: "a context with an outcome and one listener", limit: 45, operations: 20_000, prepare: contextWithListener),
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
                let subscription = subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 ^ 3 }.distinctUntilChanged().scan(0) { $0 &+ $1 }
                    .subscribe(onNext: { sink.take($0) })
                subject.onNext(index)
                subscription.dispose()
            }
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
