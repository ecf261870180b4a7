import Streams

/// Sources that send a million elements while they are subscribed to, and small stateful operators.
enum SynchronousCases {
    private static let million = 1_000_000

    static var all: [Case] {
        [
            Case(name: "create, map, filter, map, one element", limit: 2, operations: million, deliveries: 0.5, prepare: create),
            Case(name: "range, map, filter, scan, one element", limit: 0.3, operations: million, deliveries: 0.5, prepare: range),
            Case(name: "array, map, one element", limit: 0.3, operations: million, prepare: array),
            Case(name: "skip, distinctUntilChanged, take, one push", limit: 3.5, prepare: skipDistinctTake),
            Case(name: "BehaviorRelay, one accept", limit: 2.2, prepare: relay),
            Case(name: "ReplaySubject of ten, one push", limit: 3, prepare: replaySubject),
        ]
    }

    private static func create(_ sink: Sink) -> Case.Workload {
        { count in
            let numbers = Observable<Int>.create { observer in
                for index in 0..<count { observer.onNext(index) }
                observer.onCompleted()
                return Disposables.create()
            }
            _ = numbers.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 ^ 3 }.subscribe(onNext: { sink.take($0) })
        }
    }

    private static func range(_ sink: Sink) -> Case.Workload {
        { count in
            _ = Observable.range(start: 0, count: count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
                .subscribe(onNext: { sink.take($0) })
        }
    }

    private static func array(_ sink: Sink) -> Case.Workload {
        let numbers = Array(0..<opaque(million))
        return { count in
            _ = Observable.from(numbers).map { $0 &+ count }.subscribe(onNext: { sink.take($0) })
        }
    }

    private static func skipDistinctTake(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.skip(1).distinctUntilChanged().take(.max).subscribe(onNext: { sink.take($0) })
        subject.onNext(-1)
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func replaySubject(_ sink: Sink) -> Case.Workload {
        let subject = ReplaySubject<Int>(bufferSize: 10)
        _ = subject.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func relay(_ sink: Sink) -> Case.Workload {
        let relay = BehaviorRelay(value: 0)
        _ = relay.subscribe(onNext: { sink.take($0) })
        _ = sink.takeCount()
        return { count in
            for index in 0..<count { relay.accept(index) }
        }
    }
}
