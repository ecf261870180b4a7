import Dispatch
import Streams

/// How the cost of one operation grows with the size of what it runs through.
enum GrowthCases {
    static var all: [Case] {
        chains + observers + timers + virtualEvents + payloads + threads
    }

    private static var chains: [Case] {
        [
            chain(1) { $0.map { $0 &+ 1 } },
            chain(2) { $0.map { $0 &+ 1 }.map { $0 ^ 2 } },
            chain(5, fiveMaps),
            chain(10) { fiveMaps(fiveMaps($0)) },
            chain(15) { fiveMaps(fiveMaps(fiveMaps($0))) },
            chain(20) { fiveMaps(fiveMaps(fiveMaps(fiveMaps($0)))) },
        ]
    }

    private static func fiveMaps(_ source: Observable<Int>) -> Observable<Int> {
        source.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }
    }

    private static func chain(_ length: Int, _ operators: @escaping (Observable<Int>) -> Observable<Int>) -> Case {
        Case(name: "chain of \(length) \(length == 1 ? "map" : "maps"), one push") { sink in
            let subject = PublishSubject<Int>()
            _ = operators(subject.asObservable()).subscribe(onNext: { sink.take($0) })
            return { count in
                for index in 0..<count { subject.onNext(index) }
            }
        }
    }

    private static var observers: [Case] {
        [1, 10, 100, 1_000, 10_000].map { number in
            Case(name: "\(number) \(number == 1 ? "observer" : "observers"), one delivery") { sink in
                let subject = PublishSubject<Int>()
                for _ in 0..<number {
                    _ = subject.subscribe(onNext: { sink.take($0) })
                }
                return { count in
                    for index in 0..<count / number { subject.onNext(index) }
                }
            }
        }
    }

    private static var timers: [Case] {
        [1, 100, 10_000, 100_000].map { pending in
            Case(
                name: "\(pending) \(pending == 1 ? "timer" : "timers") pending, one armed and cancelled", deliveries: 0
            ) { _ in
                SchedulingCases.armAndCancel(pending: pending)
            }
        }
    }

    private static var virtualEvents: [Case] {
        [1, 100, 10_000, 100_000].map { pending in
            Case(
                name: "\(pending) virtual \(pending == 1 ? "event" : "events") pending, one event", operations: max(10_000, pending),
                prepare: SchedulingCases.virtualTime(pending: pending))
        }
    }

    private static var payloads: [Case] {
        [
            payload(of: Int64.self), payload(of: SIMD4<Int64>.self), payload(of: SIMD16<Int64>.self), payload(of: SIMD64<Int64>.self),
        ]
    }

    private static func payload<Payload: SIMD & Sendable>(of type: Payload.Type) -> Case where Payload.Scalar == Int64 {
        payload(Payload(repeating: 1)) { Int($0[0]) }
    }

    private static func payload(of type: Int64.Type) -> Case {
        payload(1) { (value: Int64) in Int(value) }
    }

    private static func payload<Payload: Sendable>(_ payload: Payload, _ first: @escaping @Sendable (Payload) -> Int) -> Case {
        Case(name: "payload of \(MemoryLayout<Payload>.size) bytes, one map, one push") { sink in
            let subject = PublishSubject<Payload>()
            _ = subject.map { $0 }.subscribe(onNext: { sink.take(first($0)) })
            let payload = opaque(payload)
            return { count in
                for _ in 0..<count { subject.onNext(payload) }
            }
        }
    }

    private static var threads: [Case] {
        [1, 2, 4].map { number in
            Case(
                name: "\(number) \(number == 1 ? "thread pushes" : "threads push") into one subject, one push", isJudgedByMedian: true,
                operations: 100_000
            ) { sink in
                let subject = PublishSubject<Int>()
                _ = subject.subscribe(onNext: { sink.take($0) })
                return { count in
                    DispatchQueue.concurrentPerform(iterations: number) { _ in
                        for index in 0..<count / number { subject.onNext(index) }
                    }
                }
            }
        }
    }
}
