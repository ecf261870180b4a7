import Dispatch
import Streams

/// The costs of elements that are larger than a word, chains that are longer than the CPU's memory of return addresses, and two threads.
enum PayloadCases {
    static var all: [Case] {
        [
            Case(name: "struct with a long string, map filter map distinctUntilChanged", limit: 6.5, prepare: named),
            Case(name: "plain struct of 128 bytes, map filter map distinctUntilChanged", limit: 4.5, prepare: plain),
            Case(name: "twenty maps, one push", limit: 8, prepare: twentyMaps),
            Case(
                name: "two threads push into one subject, one push", limit: 10, isJudgedByMedian: true, operations: 100_000,
                prepare: twoThreads),
        ]
    }

    private struct Named: Sendable, Equatable {
        var name: String
        var number: Int
    }

    private static func named(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Named>()
        _ =
            subject
            .map { element in
                var element = element
                element.number &+= 1
                return element
            }
            .filter { $0.number > 0 }
            .map { element in
                var element = element
                element.number ^= 3
                return element
            }
            .distinctUntilChanged()
            .subscribe(onNext: { sink.take($0.number &+ $0.name.utf8.count) })
        let name = opaque(String(repeating: "a name that lives on the heap ", count: 4))
        return { count in
            for index in 0..<count { subject.onNext(Named(name: name, number: index)) }
        }
    }

    private struct Words: Sendable, Equatable {
        var first = 0
        var second = 1
        var third = 2
        var fourth = 3
    }

    private struct Plain: Sendable, Equatable {
        var first: Words
        var second = Words()
        var third = Words()
        var fourth = Words()
    }

    private static func plain(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Plain>()
        _ =
            subject
            .map { element in
                var element = element
                element.first.first &+= 1
                return element
            }
            .filter { $0.first.first > 0 }
            .map { element in
                var element = element
                element.first.first ^= 3
                return element
            }
            .distinctUntilChanged()
            .subscribe(onNext: { sink.take($0.first.first &+ $0.fourth.fourth) })
        return { count in
            for index in 0..<count { subject.onNext(Plain(first: Words(first: index))) }
        }
    }

    private static func twentyMaps(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }
            .map { $0 ^ 6 }.map { $0 &+ 7 }.map { $0 ^ 8 }.map { $0 &+ 9 }.map { $0 ^ 10 }
            .map { $0 &+ 11 }.map { $0 ^ 12 }.map { $0 &+ 13 }.map { $0 ^ 14 }.map { $0 &+ 15 }
            .map { $0 ^ 16 }.map { $0 &+ 17 }.map { $0 ^ 18 }.map { $0 &+ 19 }.map { $0 ^ 20 }
            .subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }

    private static func twoThreads(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.subscribe(onNext: { sink.take($0) })
        return { count in
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                for index in 0..<count / 2 { subject.onNext(index) }
            }
        }
    }
}
