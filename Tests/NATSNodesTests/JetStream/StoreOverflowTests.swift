import Dispatch
import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// A stream of a scripted server, which acknowledges when it is told to.
private final class SlowStream: Sendable {
    private let acknowledging = DispatchSemaphore(value: 0)
    private let refused = DispatchSemaphore(value: 0)
    private let refusals: Int
    private let payloads = Lock<[String]>([])

    /// - Parameter refusals: how many messages it refuses first, because it has no room at the moment.
    init(refusals: Int = 0) {
        self.refusals = refusals
    }

    /// The stored elements, in order.
    var stored: [String] { payloads.withLock { $0 } }

    func acknowledge() { acknowledging.signal() }

    /// Waits until what was refused has been sent again.
    func awaitRepetition() { refused.wait() }

    func serve(_ connection: LoopbackConnection) {
        let session = ScriptedSession(connection)
        var (count, isHeld) = (0, true)
        while let publication = session.next() {
            count += 1
            guard count > refusals else {
                session.send(#"{"error":{"code":503,"err_code":10077,"description":"no room"}}"#, to: publication.reply)
                continue
            }
            if count == refusals + 1, refusals > 0 { refused.signal() }
            if isHeld { acknowledging.wait() }
            isHeld = false
            let number = payloads.withLock { payloads in
                payloads.append(publication.payload)
                return payloads.count
            }
            session.send(#"{"stream":"S","seq":\#(number)}"#, to: publication.reply)
        }
    }
}

@Suite("Elements that wait to be stored", .blocksThread)
struct StoreOverflowTests {
    private func withStream(
        _ stream: SlowStream = SlowStream(), _ policy: BufferingPolicy,
        _ body: (PublishSubject<Int>, Observable<NATSStream.Acknowledgement>) throws -> Void
    ) throws {
        defer { stream.acknowledge() }
        try withServer {
            stream.serve($0)
        } _: { url in
            let elements = PublishSubject<Int>()
            let bus = NATSConnection(url, configuration: quickly())
            let acknowledgements = elements.store(in: bus.stream("S")) {
                $0.maximumInFlight = 1
                $0.overflow = policy
                $0.acknowledgementTimeout = patience
                $0.retry = .delay(.milliseconds(1), maxAttempts: 5)
            }
            try body(elements, acknowledgements)
        }
    }

    @Test(
        arguments: [
            (.unbounded, [1, 2, 3, 4, 5, 6]), (.dropOldest(capacity: 2), [1, 5, 6]), (.dropNewest(capacity: 2), [1, 2, 3]),
            (.latest, [1, 6]), (.fail(capacity: 5), [1, 2, 3, 4, 5, 6]),
        ] as [(BufferingPolicy, [Int])])
    func `As many wait as the policy allows, what is dropped was never sent, and each that was sent is acknowledged`(
        _ policy: BufferingPolicy, _ expected: [Int]
    ) throws {
        let stream = SlowStream()
        try withStream(stream, policy) { elements, acknowledgements in
            let recorder = Recorder(acknowledgements.map(\.sequence))
            for number in 1...6 { elements.onNext(number) }
            elements.onCompleted()
            stream.acknowledge()
            let sequences = try recorder.all()
            #expect(sequences == Array(1...expected.count))
        }
        #expect(stream.stored == expected.map { "\($0)" })
    }

    @Test func `A source that can be suspended is as many elements ahead of the server as are in flight and buffered`() throws {
        let progress = Lock((pulled: 0, acknowledged: 0, farthest: 0))
        try withServer { connection in
            let session = ScriptedSession(connection)
            while let publication = session.next() {
                // Before the client can know of it.
                let number = progress.withLock { progress in
                    progress.acknowledged += 1
                    return progress.acknowledged
                }
                session.send(#"{"stream":"S","seq":\#(number)}"#, to: publication.reply)
            }
        } _: { url in
            let source = Observable.range(start: 1, count: 5_000).map { number in
                progress.withLock { progress in
                    progress.pulled += 1
                    progress.farthest = max(progress.farthest, progress.pulled - progress.acknowledged)
                }
                return "\(number)"
            }
            let stored = source.store(in: NATSConnection(url, configuration: quickly()).stream("S")) {
                ($0.maximumInFlight, $0.overflow) = (32, .suspend(capacity: 100))
            }
            let sequences = try stored.map(\.sequence).ended().get()
            #expect(sequences == Array(1...5_000))
        }
        let farthest = progress.withLock { $0.farthest }
        #expect(farthest <= 32 + 100)
    }

    @Test func `One too many fails the stream at once, also without a server, and the upstream is disposed`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: quickly())
        let emitted = Lock(0)
        let elements = Observable.from(0..<100_000).do(onNext: { _ in emitted.withLock { $0 += 1 } })
        let stored = elements.store(in: bus.stream("S")) {
            $0.maximumInFlight = 1
            $0.overflow = .fail(capacity: 2)
            $0.retry = .delay(.seconds(600), maxAttempts: .max)
        }
        #expect(throws: StreamError.overflow(capacity: 2)) { try stored.ended().get() }
        #expect(emitted.withLock { $0 } == 4)
    }

    @Test func `What was sent and refused is not dropped: it is sent again, before those that wait`() throws {
        let stream = SlowStream(refusals: 2)
        try withStream(stream, .dropOldest(capacity: 2)) { elements, acknowledgements in
            let recorder = Recorder(acknowledgements.map(\.sequence))
            for number in 1...3 { elements.onNext(number) }
            stream.awaitRepetition()
            for number in 4...6 { elements.onNext(number) }
            elements.onCompleted()
            stream.acknowledge()
            let sequences = try recorder.all()
            #expect(sequences == [1, 2, 3])
        }
        #expect(stream.stored == ["1", "5", "6"])
    }

    @Test func `An element is released when it is acknowledged, also while others follow`() throws {
        let stream = SlowStream()
        stream.acknowledge()
        try withServer {
            stream.serve($0)
        } _: { url in
            let released = ReplaySubject<Int>.createUnbounded()
            let elements = PublishSubject<Data>()
            let stored = Recorder(elements.store(in: NATSConnection(url, configuration: quickly()).stream("S")))
            for number in 0..<10 {
                let memory = UnsafeMutableRawPointer.allocate(byteCount: 500, alignment: 1)
                memory.initializeMemory(as: UInt8.self, repeating: 0x61, count: 500)
                let deallocator = Data.Deallocator.custom { memory, _ in
                    memory.deallocate()
                    released.onNext(number)
                }
                elements.onNext(Data(bytesNoCopy: memory, count: 500, deallocator: deallocator))
            }
            let sequences = try stored.first(10).map(\.sequence)
            let numbers = try released.take(10).ended().get()
            #expect(sequences == Array(1...10) && numbers.sorted() == Array(0..<10))
        }
    }

    @Test func `The bound applies also while the downstream is occupied with an acknowledgement`() throws {
        let stream = SlowStream()
        let (isOccupied, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try withStream(stream, .dropNewest(capacity: 2)) { elements, acknowledgements in
            let recorder = Recorder(
                acknowledgements.map(\.sequence).do(onNext: { number in
                    guard number == 1 else { return }
                    isOccupied.signal()
                    isFree.wait()
                }))
            elements.onNext(1)
            stream.acknowledge()
            isOccupied.wait()
            for number in 2...6 { elements.onNext(number) }
            elements.onCompleted()
            isFree.signal()
            let sequences = try recorder.all()
            #expect(sequences == [1, 2, 3])
        }
        #expect(stream.stored == ["1", "2", "3"])
    }
}
