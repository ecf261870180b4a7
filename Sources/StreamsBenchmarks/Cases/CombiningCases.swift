import Streams

/// One push into an operator with several upstreams.
enum CombiningCases {
    static var all: [Case] {
        [
            Case(name: "combineLatest of two, one push", limit: 4.5, prepare: combineLatest),
            Case(name: "merge of two, one push", limit: 3.5, prepare: merge),
            Case(name: "flatMap to just, one push", limit: 7, prepare: flatMap),
            Case(name: "flatMapLatest to just, one push", limit: 8, prepare: flatMapLatest),
        ]
    }

    private static func combineLatest(_ sink: Sink) -> Case.Workload {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        _ = Observable.combineLatest(first, second) { $0 &+ $1 }.subscribe(onNext: { sink.take($0) })
        first.onNext(1)
        second.onNext(2)
        _ = sink.takeCount()
        return { count in
            for index in 0..<count / 2 {
                first.onNext(index)
                second.onNext(index)
            }
        }
    }

    private static func merge(_ sink: Sink) -> Case.Workload {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        _ = Observable.merge(first.asObservable(), second.asObservable()).subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count / 2 {
                first.onNext(index)
                second.onNext(index)
            }
        }
    }

    private static func flatMap(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.flatMap { Observable.just($0 &+ 1) }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func flatMapLatest(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.flatMapLatest { Observable.just($0 &+ 1) }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }
}
