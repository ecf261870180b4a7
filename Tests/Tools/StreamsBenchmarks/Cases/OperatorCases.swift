import Streams

/// One element through an operator that keeps more than one value, or a timer.
enum OperatorCases {
    static var all: [Case] {
        [
            Case(name: "debounce, one push", limit: 16, deliveries: 0, prepare: debounce),
            Case(name: "throttle, one push", limit: 4, deliveries: 0, prepare: throttle),
            Case(name: "groupBy, 100 keys, one element", limit: 8, prepare: groupBy),
            Case(name: "buffer(count: 100), one element", limit: 1.8, deliveries: 0.01, prepare: buffer),
            Case(name: "window(count: 100) flattened, one element", limit: 7, prepare: window),
        ]
    }

    private static func debounce(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.debounce(.seconds(3_600), scheduler: SerialDispatchQueueScheduler()).subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func throttle(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.throttle(.seconds(3_600), scheduler: SerialDispatchQueueScheduler()).subscribe(onNext: { sink.take($0) })
        subject.onNext(0)
        _ = sink.takeCount()
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func groupBy(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.groupBy { $0 % 100 }.subscribe(onNext: { group in
            _ = group.subscribe(onNext: { sink.take($0) })
        })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func window(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.window(count: 100).flatMap { $0 }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func buffer(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.buffer(count: 100).subscribe(onNext: { sink.take($0.count) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }
}
