import Foundation
import StreamsInspector
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite(
    "What the inspector shows of a connection",
    .enabled(if: Inspector.isAvailable && NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct InspectedConnectionTests {
    private let scope = InspectorScope()

    private var connection: InspectorSnapshot.Node? { scope.snapshot().nodes.first { $0.operatorName == "NATSConnection" } }

    @Test func `A connection says whether it is connected, and its users name it`() throws {
        let server = try NATSServer()
        let bus = scope.inspecting { NATSConnection(server.url, configuration: quickly()) }
        #expect(connection?.summary == "not used yet, 0 subscriptions, 0 requests, 0 bytes waiting")
        let (events, received) = (Recorder(bus.events), scope.inspecting { Recorder(bus.messages("a", as: Int.self)) })
        try bus.settle()
        let snapshot = scope.snapshot()
        let node = try #require(connection)
        let address = try #require(server.url.split(separator: "/").last)
        #expect(node.summary == "connected to \(address), 1 subscriptions, 0 requests, 0 bytes waiting")
        #expect(snapshot.nodes.contains { $0.sharing?.id == node.object && $0.sharing?.isConnected == true })
        #expect(snapshot.children[node.id] != nil)
        #expect(!snapshot.leaks.map(\.operatorName).contains("NATSConnection"))
        server.kill()
        try events.first { if case .disconnected = $0 { true } else { false } }
        let after = scope.snapshot()
        let root = try #require(after.roots.first { $0.parent == nil })
        #expect(connection?.summary?.hasPrefix("reconnecting to 127.0.0.1:") == true)
        #expect(after.explanation(of: root.id)?.description.contains("waits for `NATSConnection`") == true)
        withExtendedLifetime(received) {}
    }

    @Test func `No secret of its address is shown`() throws {
        let bus = scope.inspecting { NATSConnection("nats://somebody:secret@127.0.0.1:1", configuration: quickly()) }
        let failures = scope.inspecting { Recorder(bus.messages("a")) }
        #expect(failures.failure() != nil)
        #expect(connection?.summary?.contains("secret") == false && connection?.summary?.contains("somebody") == false)
    }
}
