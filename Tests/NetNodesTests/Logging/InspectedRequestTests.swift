import Foundation
import StreamsInspector
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("What the inspector shows of a request", .onOneThread, .enabled(if: Inspector.isAvailable), .blocksThread)
struct InspectedRequestTests {
    @Test func `A request in flight is named at its operator, without secrets`() throws {
        let scope = InspectorScope()
        let arrived = Slot<Bool>()
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            arrived.fill(true)
            _ = connection.waitForClose()
        }
        let url = server.url("/prices?key=secret")
        let subscription = scope.inspecting {
            Observable.just(HTTPRequest(.get, url)).send(on: CurlTransport()).subscribe { _ in }
        }
        #expect(arrived.wait() == true)
        let summaries = scope.snapshot().nodes.compactMap(\.summary)
        #expect(summaries == ["GET \(server.url("/prices"))?key=***"])
        subscription.dispose()
    }
}
