import Streams

/// One push through a subject and what stands behind it.
enum SubjectCases {
    static var all: [Case] {
        [
            Case(name: "subject, one observer, one push", limit: 2, prepare: oneObserver),
            Case(name: "subject, 100 observers, one delivery", limit: 0.6, prepare: hundredObservers),
            Case(name: "one map behind it", limit: 2.2, prepare: oneMap),
            Case(name: "ten maps behind it", limit: 8, prepare: tenMaps),
            Case(name: "a struct of four fields through map, filter, map, map", limit: 7, prepare: quotes),
        ]
    }

    private static func oneObserver(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func hundredObservers(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        for _ in 0..<100 {
            _ = subject.subscribe(onNext: { sink.take($0) })
        }
        return { count in
            for index in 0..<count / 100 { subject.onNext(index) }
        }
    }

    private static func oneMap(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.map { $0 &+ 1 }.subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func tenMaps(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }
            .map { $0 ^ 6 }.map { $0 &+ 7 }.map { $0 ^ 8 }.map { $0 &+ 9 }.map { $0 ^ 10 }
            .subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private struct Quote: Sendable {
        var symbol: String
        var bid: Int
        var ask: Double
        var volume: Int
    }

    private static func quotes(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Quote>()
        _ =
            subject
            .map { quote in
                var quote = quote
                quote.bid &+= 1
                return quote
            }
            .filter { $0.bid > 0 }
            .map { quote in
                var quote = quote
                quote.ask *= 2
                return quote
            }
            .map { quote in
                var quote = quote
                quote.volume &+= 1
                return quote
            }
            .subscribe(onNext: { sink.take($0.volume &+ $0.symbol.utf8.count) })
        let symbol = opaque(String(repeating: "a name that lives on the heap ", count: 2))
        return { count in
            for index in 0..<count {
                subject.onNext(Quote(symbol: symbol, bid: index &+ 1, ask: 2, volume: index))
            }
        }
    }
}
