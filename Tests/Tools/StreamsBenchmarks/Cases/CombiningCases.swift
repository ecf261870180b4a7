import Dispatch
import Streams

/// One push into an operator with several upstreams.
enum CombiningCases {
    static var all: [Case] {
        [
            Case(name: "combineLatest of two, one push", limit: 4.5, prepare: combineLatest),
            Case(name: "merge of two, one push", limit: 3.5, prepare: merge),
            Case(name: "flatMap to just, one push", limit: 7, prepare: flatMap),
            Case(name: "flatMapLatest to just, one push", limit: 8, prepare: flatMapLatest),
            Case(name: "zip of two, one push", limit: 5, deliveries: 0.5, prepare: zip),
            Case(name: "withLatestFrom, one push", limit: 2.7, prepare: withLatestFrom),
            Case(name: "flatMap to just(x).map, one push", limit: 9, prepare: flatMapToMap),
            Case(name: "flatMapLatest to a subject's map, one switch", limit: 20, deliveries: 0, prepare: flatMapLatestToSubject),
            Case(name: "merge of 100 streams, one push", limit: 2.3, prepare: mergeOfHundred),
            Case(name: "flatMapLatest with a long-lived inner stream, one push", limit: 2.3, prepare: flatMapLatestLongLived),
            Case(
                name: "two threads, each its own subject, merged, one push", limit: 3, isJudgedByMedian: true, operations: 100_000,
                prepare: mergeOfTwoThreads),
            Case(name: "concatMap to just, one push", limit: 8, prepare: concatMap),
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

    private static func zip(_ sink: Sink) -> Case.Workload {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        _ = Observable.zip(first, second) { $0 &+ $1 }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count / 2 {
                first.onNext(index)
                second.onNext(index)
            }
        }
    }

    private static func withLatestFrom(_ sink: Sink) -> Case.Workload {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        _ = first.withLatestFrom(second) { $0 &+ $1 }.subscribe(onNext: { sink.take($0) })
        second.onNext(1)
        return { count in
            for index in 0..<count { first.onNext(index) }
        }
    }

    private static func flatMapToMap(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.flatMap { Observable.just($0).map { $0 &+ 1 } }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func flatMapLatestToSubject(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        _ = subject.flatMapLatest { outer in inner.map { $0 &+ outer } }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func mergeOfHundred(_ sink: Sink) -> Case.Workload {
        let subjects = (0..<100).map { _ in PublishSubject<Int>() }
        _ = Observable.merge(subjects.map { $0.asObservable() }).subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count / 100 {
                for subject in subjects { subject.onNext(index) }
            }
        }
    }

    private static func flatMapLatestLongLived(_ sink: Sink) -> Case.Workload {
        let outer = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        _ = outer.flatMapLatest { _ in inner }.subscribe(onNext: { sink.take($0) })
        outer.onNext(0)
        return { count in
            for index in 0..<count { inner.onNext(index) }
        }
    }

    private static func mergeOfTwoThreads(_ sink: Sink) -> Case.Workload {
        let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
        _ = Observable.merge(subjects.map { $0.asObservable() }).subscribe(onNext: { sink.take($0) })
        return { count in
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for index in 0..<count / 2 { subjects[thread].onNext(index) }
            }
        }
    }

    private static func concatMap(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.concatMap { Observable.just($0 &+ 1) }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }
}
