import TestSupport
import Testing

@Suite("Connections with TLS that end anywhere", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct SecureCutTests {
    struct Expectation: Sendable {
        let subject: CutSweep.Subject
        let cut: CuttingProxy.Cut
        let error: String
    }

    static let expectations = [
        Expectation(subject: .nats, cut: .closing, error: "NATSError.cannotConnect"),
        Expectation(subject: .nats, cut: .silence, error: "NATSError.cannotConnect"),
        Expectation(subject: .webSocket, cut: .closing, error: "TransportError.connectionLost"),
        Expectation(subject: .webSocket, cut: .silence, error: "TransportError.timedOut"),
    ]

    @Test(arguments: expectations)
    func `Each is the transient error of a lost connection, in time, and quotes no secret`(_ expectation: Expectation) throws {
        let report = try CutSweep(expectation.subject, expectation.cut, connections: 12).run()
        #expect(Array(report.errors.keys) == [expectation.error])
        #expect(report.connections >= 12)
        #expect(report.leaks.isEmpty)
    }

    @Test(arguments: CutSweep.Subject.allCases)
    func `Bytes that arrive one by one are read all the same`(subject: CutSweep.Subject) throws {
        let report = try CutSweep(subject, .closing, connections: 1, pieceSize: 1).run()
        #expect(report.bytes > 1_000)
    }
}
