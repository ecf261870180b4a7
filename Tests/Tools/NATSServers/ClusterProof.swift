import Foundation
import NATSNodes
import Synchronization

/// Numbers are stored in a cluster of three and consumed from it, while its servers are killed and restarted one after another and every
/// connection is cut somewhere; then what is stored is compared with what was acknowledged.
public struct ClusterProof: Sendable {
    /// What was found.
    public struct Report: Sendable, CustomStringConvertible {
        public var acknowledged = 0
        public var stored = 0
        /// Acknowledged numbers that are not stored.
        public var lost = 0
        public var storedTwice = 0
        public var outOfOrder = 0
        /// Stored numbers that were never delivered to the consumer.
        public var undelivered = 0
        /// Deliveries of numbers that had been delivered before: at least once means that there may be some.
        public var redelivered = 0
        /// First deliveries behind one of a later number: those of a lost connection follow when their time for an acknowledgement is over.
        public var deliveredLate = 0
        /// What a replay through the same failures read out of order, twice, or not at all.
        public var readWrongly = 0
        public var kills = 0
        public var connections = 0
        public var seconds = 0.0

        public var isProof: Bool { lost + storedTwice + outOfOrder + undelivered + readWrongly == 0 && stored == acknowledged }

        public var description: String {
            """
            acknowledged           \(acknowledged)
            stored                 \(stored)
            lost                   \(lost)
            stored twice           \(storedTwice)
            stored out of order    \(outOfOrder)
            never delivered        \(undelivered)
            delivered again        \(redelivered)
            delivered late         \(deliveredLate)
            replayed wrongly       \(readWrongly)
            servers killed with -9 \(kills)
            connections            \(connections) (each cut after 2 KB to 300 KB)
            seconds                \(String(format: "%.1f", seconds))
            """
        }
    }

    public var messages: Int
    /// How often a server is killed and restarted.
    public var kills: Int

    public init(messages: Int, kills: Int) {
        self.messages = messages
        self.kills = kills
    }

    public func run() throws -> Report {
        let cluster = try NATSCluster(size: 3)
        defer { cluster.kill() }
        let connections = Atomic(0)
        let proxies = try cluster.servers.enumerated().map { index, server in
            try CuttingProxy(to: server.port) { number in
                connections.add(1, ordering: .relaxed)
                // Numbers that look random, and are the same in every run.
                return 2_000 + (number &* 7_919 &+ index &* 104_729 &+ number &* number &* 31) % 298_000
            }
        }
        defer { for proxy in proxies { proxy.close() } }
        return try withExtendedLifetime(proxies) {
            var report = try run(on: cluster, through: proxies.map(\.url).joined(separator: ","))
            report.connections = connections.load(ordering: .relaxed)
            return report
        }
    }

    private func run(on cluster: NATSCluster, through servers: String) throws -> Report {
        var configuration = NATSConfiguration()
        configuration.usesDiscoveredServers = false
        configuration.reconnection = .delay(.milliseconds(20), maxAttempts: .max)
        let bus = NATSConnection(servers, configuration: configuration)
        let consumerBus = NATSConnection(servers, configuration: configuration)
        let patient = RetryPolicy.delay(.milliseconds(200), maxAttempts: 300).when { ($0 as? NATSError)?.isTransient ?? false }
        let stream = bus.stream("PROOF")
        try wait(for: stream.create { $0.replicas = 3 }.asObservable().retry(patient))

        let start = ContinuousClock.now
        let acknowledged = Progress()
        let delivered = Deliveries()
        let consumption = consumerBus.stream("PROOF").consume("proof", as: Int.self) {
            $0.heartbeat = .seconds(1)
            $0.acknowledgementWait = .seconds(10)
            $0.maximumInFlight = 512
        }.retry(patient).subscribe(
            onNext: { delivery in
                delivered.receive(delivery.body)
                delivery.acknowledge()
            }, onError: { delivered.fail($0) })
        let read = Reading()
        let reading = consumerBus.stream("PROOF").replay(as: Int.self).retry(patient)
            .subscribe(onNext: { read.receive($0.body) }, onError: { read.fail($0) })
        let publication = Observable.range(start: 0, count: messages).store(in: stream, id: { $0 }) {
            $0.isOnlyPublisher = true
            $0.maximumInFlight = 512
            $0.acknowledgementTimeout = .seconds(3)
            $0.retry = .exponential(initial: .milliseconds(50), cap: .seconds(1), maxAttempts: 200)
        }.subscribe(onNext: { _ in acknowledged.increment() }, onError: { acknowledged.fail($0) }, onCompleted: {})
        defer {
            publication.dispose()
            consumption.dispose()
            reading.dispose()
        }

        let killed = try killServers(of: cluster, acknowledged)
        try acknowledged.wait(for: messages)
        try delivered.wait(for: messages)
        try read.wait(for: messages)
        let direct = NATSConnection(cluster.url)
        let stored = try elements(
            of: direct.stream("PROOF").replay(completesAtEnd: true, as: Int.self).map(\.body).retry(patient))
        var report = delivered.report
        report.acknowledged = acknowledged.count
        report.stored = stored.count
        report.lost = Set(0..<messages).subtracting(stored).count
        report.storedTwice = stored.count - Set(stored).count
        report.outOfOrder = zip(stored, stored.dropFirst()).count { $0 >= $1 }
        report.readWrongly = read.faults
        report.kills = killed
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// One server after the other, each when some more messages have been acknowledged, and started again after some more without it.
    private func killServers(of cluster: NATSCluster, _ acknowledged: Progress) throws -> Int {
        let step = messages / (2 * kills + 1)
        for kill in 0..<kills {
            try acknowledged.wait(for: step * (2 * kill + 1))
            let server = cluster.servers[kill % cluster.servers.count]
            server.kill()
            try acknowledged.wait(for: step * (2 * kill + 2))
            try server.start()
        }
        return kills
    }
}

/// A count that can be waited for.
private final class Progress: @unchecked Sendable {
    private let condition = NSCondition()
    // Sound: accessed under the condition's lock.
    private var value = 0
    private var error: (any Error)?

    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return value
    }

    func increment() {
        condition.lock()
        value += 1
        condition.broadcast()
        condition.unlock()
    }

    func fail(_ error: any Error) {
        condition.lock()
        self.error = error
        condition.broadcast()
        condition.unlock()
    }

    struct Stalled: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits for a count, with two minutes for each step.
    func wait(for target: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while value < target {
            if let error { throw error }
            let before = value
            guard condition.wait(until: Date(timeIntervalSinceNow: 120)) || value > before else {
                throw Stalled(description: "no progress beyond \(value) of \(target) for two minutes")
            }
        }
    }
}

/// What a replay emits: every number, once and in order.
private final class Reading: @unchecked Sendable {
    private let progress = Progress()
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var next = 0
    private var wrong = 0

    func receive(_ number: Int) {
        lock.lock()
        if number != next { wrong += 1 }
        next = number + 1
        lock.unlock()
        progress.increment()
    }

    func fail(_ error: any Error) { progress.fail(error) }

    func wait(for target: Int) throws { try progress.wait(for: target) }

    var faults: Int {
        lock.lock()
        defer { lock.unlock() }
        return wrong
    }
}

/// What a consumer receives.
private final class Deliveries: @unchecked Sendable {
    private let progress = Progress()
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var seen = Set<Int>()
    private var highest = -1
    private var outOfOrder = 0
    private var again = 0

    func receive(_ number: Int) {
        lock.lock()
        let isNew = seen.insert(number).inserted
        if isNew, number < highest { outOfOrder += 1 }
        if !isNew { again += 1 }
        highest = max(highest, number)
        lock.unlock()
        if isNew { progress.increment() }
    }

    func fail(_ error: any Error) { progress.fail(error) }

    func wait(for target: Int) throws { try progress.wait(for: target) }

    var report: ClusterProof.Report {
        lock.lock()
        defer { lock.unlock() }
        var report = ClusterProof.Report()
        report.redelivered = again
        report.deliveredLate = outOfOrder
        return report
    }
}

/// Waits for the elements of a stream.
func elements<Element>(of stream: Observable<Element>) throws -> [Element] {
    let outcome = Outcome<Element>()
    let subscription = stream.subscribe { outcome.receive($0) }
    defer { subscription.dispose() }
    return try outcome.wait()
}

func wait<Element>(for stream: Observable<Element>) throws {
    _ = try elements(of: stream)
}

private final class Outcome<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let semaphore = DispatchSemaphore(value: 0)
    // Sound: accessed under the lock.
    private var elements: [Element] = []
    private var error: (any Error)?

    func receive(_ event: Event<Element>) {
        lock.lock()
        switch event {
        case .next(let element): elements.append(element)
        case .error(let error): self.error = error
        case .completed: break
        }
        lock.unlock()
        if event.isStopEvent { semaphore.signal() }
    }

    func wait() throws -> [Element] {
        semaphore.wait()
        lock.lock()
        defer { lock.unlock() }
        if let error { throw error }
        return elements
    }
}
