import Foundation
import NATSNodes
import Synchronization

/// Stores numbers in a cluster of three and consumes them, while its servers are killed and restarted one after another and every
/// connection is cut somewhere. Then it compares the stored numbers with the acknowledged ones.
public struct ClusterProof: Sendable {
    /// The findings.
    public struct Report: Sendable, CustomStringConvertible {
        public var acknowledged = 0
        public var stored = 0
        /// Acknowledged numbers that are not stored.
        public var lost = 0
        public var storedTwice = 0
        public var outOfOrder = 0
        /// Stored numbers that were never delivered to the consumer.
        public var undelivered = 0
        /// Deliveries of numbers that had been delivered before; with delivery at least once there may be some.
        public var redelivered = 0
        /// First deliveries after one of a later number: the deliveries of a lost connection follow when their time for an acknowledgement
        /// is over.
        public var deliveredLate = 0
        /// Numbers that a replay through the same failures read out of order, twice, or not at all.
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
    /// The number of times that a server is killed and restarted.
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
                // These numbers look random, and are the same in every run.
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
        var configuration = NATSConnection.Configuration()
        configuration.usesDiscoveredServers = false
        (configuration.connectTimeout, configuration.requestTimeout) = (.seconds(60), .seconds(5))
        configuration.reconnection = .delay(.milliseconds(100), maxAttempts: .max)
        let bus = NATSConnection(servers, configuration: configuration)
        let consumerBus = NATSConnection(servers, configuration: configuration)
        let patient = RetryPolicy.delay(.milliseconds(200), maxAttempts: 6_000).when { ($0 as? NATSError)?.isTransient ?? false }
        let stream = bus.stream("PROOF")
        try wait(for: stream.create { $0.replicas = 3 }.asObservable().retry(patient))

        let start = ContinuousClock.now
        let acknowledged = Progress(of: "the acknowledgements")
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
        let numbers = PublishSubject<Int>()
        let publication = numbers.store(in: stream, id: { $0 }) {
            $0.isOnlyPublisher = true
            $0.maximumInFlight = 512
            $0.acknowledgementTimeout = .seconds(3)
            $0.retry = .exponential(initial: .milliseconds(50), cap: .seconds(1), maxAttempts: 2_000)
        }.subscribe(onNext: { _ in acknowledged.increment() }, onError: { acknowledged.fail($0) }, onCompleted: {})
        defer {
            publication.dispose()
            consumption.dispose()
            reading.dispose()
        }

        try killServers(of: cluster, acknowledged, publishing: numbers)
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
        report.kills = kills
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// Kills one server after the other in the middle of a load, and starts it again in the middle of another.
    ///
    /// The next server is killed when this one has caught up. A majority stores every acknowledged message, but a server of version 2.9
    /// that lacks one can become the leader if the next is killed earlier ([3402](https://github.com/nats-io/nats-server/issues/3402)).
    private func killServers(of cluster: NATSCluster, _ acknowledged: Progress, publishing numbers: PublishSubject<Int>) throws {
        let step = messages / (3 * kills + 1)
        var published = 0
        func publish(_ count: Int) {
            for number in published..<min(messages, published + count) { numbers.onNext(number) }
            published = min(messages, published + count)
        }
        for kill in 0..<kills {
            let server = cluster.servers[kill % cluster.servers.count]
            publish(step)
            try acknowledged.wait(for: published - step / 2)
            server.kill()
            publish(step)
            try acknowledged.wait(for: published - step / 2)
            publish(step)
            try server.start()
            try waitUntilHealthy(cluster)
        }
        publish(messages)
        numbers.onCompleted()
    }

    private func waitUntilHealthy(_ cluster: NATSCluster) throws {
        struct Behind: Error {}
        let look = Observable<Void>.deferred { cluster.servers.allSatisfy(\.isHealthy) ? .just(()) : .error(Behind()) }
        try wait(for: look.retry(.delay(.milliseconds(50), maxAttempts: 36_000)))
    }
}
