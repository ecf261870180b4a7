import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("A server without room for more", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct FullStorageTests {
    @Test func `What there is no room for fails with the server's reason, and is stored when there is room again`() throws {
        var options = NATSServer.Options(hasJetStream: true)
        options.maximumFileStorage = "1MB"
        let server = try NATSServer(options)
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("FULL")
        _ = try stream.create().ended().one()
        let large = Data(repeating: 7, count: 200_000)
        let stored = Recorder(
            Observable.from(0..<1_000).map { _ in large }.store(in: stream) {
                $0.maximumInFlight = 1
                $0.acknowledgementTimeout = patience
                $0.retry = .delay(.milliseconds(1), maxAttempts: 2)
            })
        guard case .jetStream(let error)? = stored.failure() else { return #expect(Bool(false)) }
        #expect(error.status == 503 && error.reason.contains("resources"))
        #expect(NATSError.jetStream(error).isTransient)
        // The acknowledged elements are there, and no others.
        let full = try stream.info().ended().one().state.messages
        let read = try Recorder(stream.replay(completesAtEnd: true)).all().count
        #expect(full > 1 && read == full)
        try stream.purge().ended().get()
        let later = try Observable.just(large).store(in: stream).ended().get()
        #expect(later.count == 1)
    }
}
