import Foundation
import NATSNodes
import StreamsTesting
import Testing

@testable import StreamsSimulator

@Suite("A bus of a simulation under failures", .countsResources)
struct BusTests {
    @Test func `Subscriptions are made again after the bus was killed and started again`() async throws {
        let received = RecordedElements<String>()
        try await Simulation.replay(seed: 2) { world in
            received.removeAll()
            let bus = world.bus("bus")
            let recording = world.stream("received", of: String.self)
            let subscription = recording.asObservable().subscribe(onNext: { received.append($0) })
            world.process(
                "reader",
                running: { _ in
                    NATSConnection(bus.url).messages("ticks", as: String.self).do(onNext: { recording.emit($0.body) })
                })
            world.process(
                "writer",
                running: { environment in
                    let connection = NATSConnection(bus.url)
                    return Observable<Int>.interval(.seconds(1), scheduler: environment.scheduler)
                        .do(onNext: { try connection.publish("\($0)", to: "ticks") })
                })
            try await world.run(for: .milliseconds(3_500))
            bus.kill(restartAfter: .seconds(5))
            #expect(bus.connections == 0)
            try await world.run(for: .seconds(30))
            #expect(bus.isRunning)
            subscription.dispose()
        }
        #expect(received.elements.starts(with: ["0", "1", "2"]))
        #expect(received.elements.count > 20)
        #expect(received.elements.last == "32")
    }

    @Test func `What a stream stores on disk stays when the bus is killed, and what it has in memory is gone`() async throws {
        let found = RecordedElements<String>()
        try await Simulation.replay(seed: 3) { world in
            found.removeAll()
            let bus = world.bus("bus")
            let connection = NATSConnection(bus.url)
            for (name, storage) in [("FILE", NATSStream.Storage.file), ("MEMORY", .memory)] {
                _ = try await connection.stream(name).create { $0.storage = storage }.value
                for try await _ in Observable.from([1, 2]).store(in: connection.stream(name)).values {}
            }
            bus.kill(restartAfter: .seconds(1))
            for name in ["FILE", "MEMORY"] {
                do {
                    found.append(
                        "\(try await connection.stream(name).info().retry(.exponential(initial: .seconds(1), maxAttempts: 9).when { ($0 as? NATSError)?.isTransient ?? false }).value.state.messages)"
                    )
                } catch NATSError.jetStream(let error) { found.append("\(error.code)") }
            }
        }
        #expect(found.elements == ["2", "10059"])
    }

    @Test func `Each element is stored once and handled at least once, whatever fails`() async throws {
        let orders = 40
        let report = try await Simulation.explore(seeds: 0..<20) { world in
            let bus = world.bus("bus")
            let billed = world.stream("billed", of: Int.self)
            world.process(
                "shop",
                running: { environment in
                    let stream = NATSConnection(bus.url).stream("ORDERS")
                    let numbers = Observable<Int>.interval(.seconds(1), scheduler: environment.scheduler).take(orders)
                    // By default a connection that hangs is noticed after six minutes, when the two of the window are over.
                    let created = stream.create { $0.duplicateWindow = .seconds(3_600) }
                    return created.asObservable().retry(Self.patience).flatMap { _ in
                        numbers.store(in: stream, id: { $0 }) { $0.retry = Self.patience }
                    }
                })
            world.process(
                "billing",
                running: { _ in
                    let stream = NATSConnection(bus.url).stream("ORDERS")
                    let deliveries = stream.consume("billing", as: Int.self) { $0.acknowledgementWait = .seconds(5) }
                    return deliveries.retry(Self.patience).do(onNext: { delivery in
                        billed.emit(delivery.body)
                        delivery.acknowledge()
                    })
                })
            world.faults = .only(
                .refuse, .reset, .hang, .partition, .oneWayPartition, .loseResponse, .kill, rate: .perMinute(2))
            world.eventually(
                "all are billed", within: .seconds(3_600),
                billed.asObservable().scan(Set<Int>()) { $0.union([$1]) }.map { $0.count == orders })
            try await world.run(for: .seconds(600))
            world.faults = .none
            try await world.run(for: .seconds(3_000))
            let stored = RecordedElements<Int>()
            for try await message in NATSConnection(bus.url).stream("ORDERS").replay(completesAtEnd: true, as: Int.self).values {
                stored.append(message.body)
            }
            guard Set(stored.elements).count == stored.elements.count else { throw StoredTwice() }
        }
        #expect(report.runs == 20)
        #expect(report.faults[.kill] ?? 0 > 0 && report.faults[.reset] ?? 0 > 0 && report.faults[.loseResponse] ?? 0 > 0)
    }

    private struct StoredTwice: Error {}

    private static let patience = RetryPolicy.exponential(initial: .seconds(1), cap: .seconds(10), maxAttempts: .max)

    @Test func `Commands are parsed alike wherever their bytes are split`() throws {
        let text =
            "CONNECT {\"a\":1}\r\nping\r\nSUB a.* 1\r\nSUB b q 2\r\nUNSUB 1 5\r\nPUB a 2\r\nhi\r\nHPUB a r 12 14\r\nNATS/1.0\r\n\r\nho\r\nPONG\r\n"
        let bytes = Array(text.utf8)
        var whole: [BusCommand] = []
        for size in 1...bytes.count {
            var parser = BusCommandParser(maximumPayload: 100)
            var commands: [BusCommand] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { parser.append($0) }
                while let command = try parser.next() { commands.append(command) }
            }
            if whole.isEmpty { whole = commands }
            #expect(commands == whole)
        }
        #expect(whole.count == 8)
        #expect(
            whole[6] == .publish(BusMessage(subject: "a", reply: "r", headers: Array("NATS/1.0\r\n\r\n".utf8), payload: Array("ho".utf8))))
    }
}
