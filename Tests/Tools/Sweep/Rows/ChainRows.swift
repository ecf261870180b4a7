import Streams

extension Row {
    /// Several operators, or many streams, at once.
    @RowBuilder static var chains: [Row] {
        source("map(_:)", "filter(_:)", "scan(_:accumulator:)", as: "range, map, filter, scan") { count in
            .range(start: 0, count: count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
        }
        source("map(_:)", "filter(_:)", as: "create, map, filter, map") { count in
            Observable<Int>.create { observer in
                for number in 0..<count { observer.onNext(number) }
                observer.onCompleted()
                return Disposables.create()
            }.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &* 2 }
        }
        source("map(_:)", as: "array, map") { count in .from(Array(0..<count)).map { $0 &+ 1 } }
        source("retry(_:)", as: "retry of an immediate failure") { Observable<Int>.error(Failure()).retry($0).catchAndReturn(1) }
        source("concatMap(delayErrors:_:)", as: "concatMap to ranges of ten") { count in
            .range(start: 0, count: count / 10).concatMap { Observable.range(start: $0, count: 10) }
        }
        use("range(start:count:)", of: "a thousand elements, merged with map, filter and scan into one loop", times: 1) {
            { Observable.range(start: 0, count: 1_000).map { $0 &* 3 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.run() }
        }
        use("PublishSubject.onNext(_:)", of: "100 observers") {
            let subject = PublishSubject<Int>()
            for _ in 0..<100 { subject.run() }
            return { subject.onNext(1) }
        }
        use("map(_:)", of: "ten behind a subject") {
            let subject = PublishSubject<Int>()
            (0..<10).reduce(subject.asObservable()) { chain, _ in chain.map { $0 &+ 1 } }.run()
            return { subject.onNext(1) }
        }
        use("map(_:)", "filter(_:)", of: "a struct of four fields") {
            let subject = PublishSubject<Quotation>()
            subject.map { Quotation(name: $0.name, bid: $0.bid, ask: $0.ask &+ 1, time: $0.time) }.filter { $0.ask > $0.bid }
                .map { ($0.name, $0.ask &- $0.bid) }.map { $0.1 }.run()
            return { subject.onNext(Quotation(name: "oolong", bid: 1, ask: 2, time: 3)) }
        }
        use("merge(_:delayErrors:)", of: "a hundred") {
            let subjects = (0..<100).map { _ in PublishSubject<Int>() }
            Observable.merge(subjects.map { $0.asObservable() }).run()
            return { subjects[50].onNext(1) }
        }
        use("flatMapLatest(_:)", of: "a switch to a subject's map") {
            let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
            outer.flatMapLatest { number in inner.map { $0 &+ number } }.run()
            return { outer.onNext(1) }
        }
        use("map(_:)", "filter(_:)", "scan(_:accumulator:)", of: "five operators, one element, dispose") {
            let subject = PublishSubject<Int>()
            return {
                let subscription = subject.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }.skip(0).take(5).run()
                subject.onNext(1)
                subscription.dispose()
            }
        }
        use("share()", of: "connect, one element, disconnect") {
            let subject = PublishSubject<Int>()
            let shared = subject.share()
            return {
                let subscription = shared.run()
                subject.onNext(1)
                subscription.dispose()
            }
        }
        use("just(_:)", "map(_:)", of: "map, subscribe") { { Observable.just(opaque(1)).map { $0 &+ 1 }.run() } }
        use("flatMap(maxConcurrent:delayErrors:_:)", of: "an element to create") {
            let subject = PublishSubject<Int>()
            subject.flatMap { number in
                Observable<Int>.create { observer in
                    observer.onNext(number)
                    observer.onCompleted()
                    return Disposables.create()
                }
            }.run()
            return { subject.onNext(1) }
        }
        use("flatMap(maxConcurrent:delayErrors:_:)", of: "an element to two") {
            let subject = PublishSubject<Int>()
            subject.flatMap { Observable.of($0, $0) }.run()
            return { subject.onNext(1) }
        }
    }

    private struct Quotation: Sendable { var name: String, bid: Int, ask: Int, time: Int }
}
