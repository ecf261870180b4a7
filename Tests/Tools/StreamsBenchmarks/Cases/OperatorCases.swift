import Streams

/// One element through an operator that keeps more than one value, or a timer.
enum OperatorCases {
    static var all: [Case] {
        [
            Case(name: "debounce, one push", limit: 16, deliveries: 0, prepare: debounce),
            Case(name: "throttle, one push", limit: 4, deliveries: 0, prepare: throttle),
            Case(name: "groupBy, 100 keys, one element", limit: 8, prepare: groupBy),
            Case(name: "buffer(count: 100), one element", limit: 1.8, deliveries: 0.01, prepare: buffer),
            Case(name: "publish().refCount(), one push", limit: 3.5, prepare: refCount),
            Case(name: "an infallible stream's map, filter, scan, one push", limit: 6, prepare: infallible),
            Case(name: "retry(policy), one push", limit: 3, prepare: retryPolicy),
            Case(name: "timeout, one push", limit: 10, prepare: timeout),
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

    private static func refCount(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.publish().refCount().subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func infallible(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.asInfallible(onErrorJustReturn: 0).map { $0 &+ 1 }.filter { $0 & 1 < 2 }.scan(0) { $0 &+ $1 }
            .subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func retryPolicy(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.retry(.delay(.seconds(1), maxAttempts: 3), scheduler: SerialDispatchQueueScheduler())
            .subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func timeout(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.timeout(.seconds(3_600), scheduler: SerialDispatchQueueScheduler()).subscribe(onNext: { sink.take($0) })
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
