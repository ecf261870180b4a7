import Foundation
import NATSNodes
import NATSServers
import Synchronization

/// Messages a second through one server, ours and those of `nats-py`, one after the other in one run.
struct LoadComparison {
    let messages: Int

    func run() throws {
        let server = try NATSServer()
        defer { server.kill() }
        print("loopback, 64 KB writes: \(megabytes(try loopbackRate())) a second")
        for size in [16, 1_024] {
            let ours = (published: try publish(size, server), received: try receive(size, server, subjects: 1))
            report("publish \(size) bytes, NATSNodes", ours.published, size)
            report("receive \(size) bytes, NATSNodes", ours.received, size)
            report("receive \(size) bytes, NATSNodes, 1,000 subscriptions", try receive(size, server, subjects: 1_000), size)
            guard let python = NATSPython.interpreter else {
                print("no .build/python (see .ci/python): nats-py is left out")
                continue
            }
            let published = try NATSPython.publish(python, server.url, size: size, count: messages / 10)
            let received = try NATSPython.receive(python, server.url, size: size, count: messages / 10) { count in
                try Self.publish(count, size, server.url)
            }
            report("publish \(size) bytes, nats-py", published, size)
            report("receive \(size) bytes, nats-py", received, size)
            print(String(format: "    ours are %.1f and %.1f times as many", ours.published / published, ours.received / received))
        }
        try slowConsumer()
    }

    private func report(_ name: String, _ rate: Double, _ size: Int) {
        let text = name.padding(toLength: 54, withPad: " ", startingAt: 0)
        print("\(text) \(Int(rate).formatted()) a second, \(megabytes(rate * Double(size)))")
    }

    private func megabytes(_ bytes: Double) -> String { "\(Int(bytes / 1e6).formatted()) MB" }

    /// Publishes without a subscriber, until the server has received everything.
    private func publish(_ size: Int, _ server: NATSServer) throws -> Double {
        let start = ContinuousClock.now
        try Self.publish(messages, size, server.url)
        return Double(messages) / ((ContinuousClock.now - start) / .seconds(1))
    }

    static func publish(_ count: Int, _ size: Int, _ url: String, subject: (Int) -> String = { _ in "load" }) throws {
        let bus = NATSConnection(url)
        defer { bus.close() }
        let payload = Data(repeating: 0x78, count: size)
        let batch = max(1, 4_000_000 / (size + 32))
        for start in stride(from: 0, to: count, by: batch) {
            for number in start..<min(count, start + batch) { try bus.publish(payload, to: subject(number)) }
            // The server has taken a batch before the next is published: what is pending stays bounded.
            try waitForCompletion(of: bus.flush())
        }
    }

    /// Receives on one connection what another publishes.
    private func receive(_ size: Int, _ server: NATSServer, subjects: Int) throws -> Double {
        let bus = NATSConnection(server.url)
        defer { bus.close() }
        let done = DispatchSemaphore(value: 0)
        let counter = Counter(expected: messages, done)
        let bag = DisposeBag()
        for number in 0..<subjects {
            bus.messages("load.\(number)").subscribe(onNext: { _ in counter.receive() }).disposed(by: bag)
        }
        try waitForCompletion(of: bus.flush())
        let names = (0..<subjects).map { "load.\($0)" }
        let start = ContinuousClock.now
        try Self.publish(messages, size, server.url) { names[$0 % subjects] }
        done.wait()
        return Double(messages) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// A consumer that does nothing for a while costs no memory.
    private func slowConsumer() throws {
        let storing = try NATSServer(.init(hasJetStream: true))
        defer { storing.kill() }
        let bus = NATSConnection(storing.url)
        let stream = bus.stream("SLOW")
        try waitForCompletion(of: stream.create { $0.storage = .memory }.asCompletable())
        let held = Held()
        let subscription = stream.consume("slow").subscribe(onNext: { held.keep($0) })
        let before = residentBytes()
        let payload = Data(repeating: 0x78, count: 1_024)
        let stored = Observable.range(start: 0, count: 100_000).map { _ in payload }.store(in: stream, id: { _ in UUID().uuidString })
        try waitForCompletion(of: stored.asCompletable())
        print(
            "a consumer that finishes nothing of 100,000 stored messages of 1 KB has \(held.count) of them; memory grew by "
                + megabytes(Double(max(0, residentBytes() - before))))
        subscription.dispose()
        bus.close()
    }

    private func residentBytes() -> Int {
        let statistics = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = statistics.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4_096
    }

    /// What a plain socket carries here.
    private func loopbackRate() throws -> Double {
        let (total, done) = (1 << 30, DispatchSemaphore(value: 0))
        let listener = try LoopbackListener { _, connection in
            var received = 0
            while received < total, let bytes = connection.read(limit: 1 << 18) { received += bytes.count }
            done.signal()
        }
        defer { listener.close() }
        guard let connection = LoopbackConnection.connect(to: listener.port) else { return 0 }
        let chunk = [UInt8](repeating: 0x78, count: 65_536)
        let start = ContinuousClock.now
        for _ in 0..<(total / chunk.count) { connection.write(chunk) }
        done.wait()
        return Double(total) / ((ContinuousClock.now - start) / .seconds(1))
    }
}

/// Counts messages of all subscriptions, which arrive one after the other.
private final class Counter: Sendable {
    private let count = Atomic(0)
    private let expected: Int
    private let done: DispatchSemaphore

    init(expected: Int, _ done: DispatchSemaphore) {
        self.expected = expected
        self.done = done
    }

    func receive() {
        if count.add(1, ordering: .relaxed).newValue == expected { done.signal() }
    }
}

/// Deliveries that nobody finishes.
private final class Held: @unchecked Sendable {
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var deliveries: [Delivery<Data>] = []

    func keep(_ delivery: Delivery<Data>) {
        lock.lock()
        deliveries.append(delivery)
        lock.unlock()
    }

    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return deliveries.count
    }
}

func waitForCompletion(of completable: Completable) throws {
    let (semaphore, failure) = (DispatchSemaphore(value: 0), ErrorBox())
    let subscription = completable.subscribe(
        onCompleted: { semaphore.signal() },
        onError: {
            failure.set($0)
            semaphore.signal()
        })
    semaphore.wait()
    subscription.dispose()
    if let error = failure.get() { throw error }
}

private final class ErrorBox: @unchecked Sendable {
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var error: (any Error)?

    func set(_ error: any Error) {
        lock.lock()
        self.error = error
        lock.unlock()
    }

    func get() -> (any Error)? {
        lock.lock()
        defer { lock.unlock() }
        return error
    }
}
