import Foundation
import NATSNodes
import Synchronization
import TestSupport

/// Messages a second through one server, and the processor time that each costs its client: ours, those of `nats-py`, and prepared bytes on a
/// bare socket, which is what the server can take. One after the other in one run, several times; the medians are compared.
struct LoadComparison {
    let messages: Int
    /// A name that lacks one of them is left out.
    let words: [String]
    let rounds = 3

    func run() throws {
        // Clients that receive slowly are not disconnected while the others' messages wait in the server.
        let server = try NATSServer(.init(configuration: "max_pending: 256MB\n"))
        defer { server.kill() }
        print("loopback, 64 KB writes: \(megabytes(try loopbackRate())) a second")
        if NATSPython.interpreter == nil { print("no .build/python (see .ci/python): nats-py is left out") }
        for size in [16, 1_024] {
            let one = ["load"]
            let many = (0..<1_000).map { "load.\($0)" }
            let count = messages / 10
            try compare(
                "publish \(size) bytes", size,
                limit: { try PreparedMessages(size, to: one).publish(messages, to: server.port) },
                ours: { try publish(size, server) },
                python: { try NATSPython.publish($0, server.url, size: size, count: count) })
            try compare(
                "receive \(size) bytes", size,
                limit: { try PreparedMessages(size, to: one).receive(messages, from: server.port) },
                ours: { try receive(size, server, subjects: one) },
                python: { python in
                    try NATSPython.receive(python, server.url, size: size, count: count) { count in
                        _ = try PreparedMessages(size, to: one).publish(count, to: server.port)
                    }
                })
            let name = "receive \(size) bytes, NATSNodes, 1,000 subscriptions"
            guard isWanted(name) else { continue }
            report(name, try (0..<rounds).map { _ in try receive(size, server, subjects: many) }.median, size)
        }
        if isWanted("slow consumer") { try slowConsumer() }
    }

    private func isWanted(_ name: String) -> Bool { words.allSatisfy { name.contains($0) } }

    private func compare(
        _ what: String, _ size: Int, limit: @escaping () throws -> Load, ours: @escaping () throws -> Load,
        python: @escaping (URL) throws -> NATSPython.Rate
    ) throws {
        let names = ["\(what), prepared bytes on a socket", "\(what), NATSNodes", "\(what), nats-py"]
        let clients = [limit, ours, { Load(try NATSPython.interpreter.map { try python($0) } ?? (0, 0)) }]
        let wanted = names.indices.filter { isWanted(names[$0]) && ($0 < 2 || NATSPython.interpreter != nil) }
        var loads: [[Load]] = [[], [], []]
        for _ in 0..<rounds { for index in wanted { loads[index].append(try clients[index]()) } }
        for index in wanted { report(names[index], loads[index].median, size) }
        guard wanted.contains(1), wanted.contains(2) else { return }
        let (own, other) = (loads[1].median, loads[2].median)
        let (rate, time) = (own.rate / other.rate, other.processorTime / own.processorTime)
        print(String(format: "    ours are %.1f times as many, and each costs its client 1/%.1f of the processor time", rate, time))
    }

    private func report(_ name: String, _ load: Load, _ size: Int) {
        let text = name.padding(toLength: 54, withPad: " ", startingAt: 0)
        let rate = "\(Int(load.rate).formatted()) a second, \(megabytes(load.rate * Double(size)))"
        print("\(text) \(rate), \(Int(load.processorTime * 1e9)) ns of the client's processor time each")
    }

    private func megabytes(_ bytes: Double) -> String { "\(Int(bytes / 1e6).formatted()) MB" }

    /// Publishes without a subscriber, until the server has received everything.
    private func publish(_ size: Int, _ server: NATSServer) throws -> Load {
        let bus = NATSConnection(server.url)
        defer { bus.close() }
        try waitForCompletion(of: bus.flush())
        let payload = Data(repeating: 0x78, count: size)
        // The number of pending messages is bounded: the server has taken the batch before the last when the next is published.
        let batch = max(1, 2_000_000 / (size + 32))
        let window = DispatchSemaphore(value: 2)
        let failure = FirstError()
        return try Load.measureProcess(messages) {
            for start in stride(from: 0, to: messages, by: batch) {
                window.wait()
                for _ in start..<min(messages, start + batch) { try bus.publish(payload, to: "load") }
                _ = bus.flush().subscribe(onCompleted: { window.signal() }, onError: { failure.set($0, window) })
            }
            try waitForCompletion(of: bus.flush())
            try failure.check()
            return 0
        }
    }

    /// Receives on one connection what a bare socket publishes.
    private func receive(_ size: Int, _ server: NATSServer, subjects: [String]) throws -> Load {
        let bus = NATSConnection(server.url)
        defer { bus.close() }
        let counter = Counter(expected: messages)
        let bag = DisposeBag()
        for subject in subjects {
            bus.messages(subject)
                .subscribe(onNext: { counter.receive($0.body.count) }, onError: { counter.fail($0) })
                .disposed(by: bag)
        }
        try waitForCompletion(of: bus.flush())
        let prepared = PreparedMessages(size, to: subjects)
        return try Load.measureProcess(messages) {
            let publisher = try prepared.publish(messages, to: server.port)
            try counter.wait()
            guard counter.bytes == messages * size else { throw LoadError.incomplete }
            return publisher.processorTime * Double(messages)
        }
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

    /// The rate of a plain socket here.
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

/// Deliveries that nobody finishes.
private final class Held: @unchecked Sendable {
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var deliveries: [NATSStream.Delivery<Data>] = []

    func keep(_ delivery: NATSStream.Delivery<Data>) {
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
