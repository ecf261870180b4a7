import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("The connections of a transport can be read", .countsResources, .stopsServers, .blocksThread)
struct TrafficTests {
    private func transport() -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        (configuration.loops, configuration.connectionsPerHost) = (1, 2)
        return CurlTransport(configuration)
    }

    @Test func `Requests run and wait, and connections are open or idle`() async throws {
        let (first, second, transport) = (try HoldingServer(), try HoldingServer(), transport())
        #expect(transport.traffic == CurlTransport.Traffic())
        let three = (1...3).map { _ in Slot<Int>() }
        let subscriptions = try three.enumerated().map { number, slot in
            transport.response(to: try first.request(number)).subscribe(onNext: { slot.fill($0.status) })
        }
        #expect(comesTrue { first.held == 2 })
        var busy = CurlTransport.Traffic()
        (busy.openConnections, busy.runningRequests, busy.waitingRequests) = (2, 2, 1)
        #expect(transport.traffic == busy && transport.traffic(to: first.server.baseURL) == busy)
        #expect(transport.traffic(to: second.server.baseURL) == CurlTransport.Traffic())

        first.answer()
        for slot in three { #expect(slot.wait() == 200) }
        // The thread of the loop has left the three requests when it sends a further one.
        let fourth = transport.response(to: try second.request("x")).subscribe()
        #expect(comesTrue { second.held == 1 })
        var idle = CurlTransport.Traffic()
        (idle.openConnections, idle.idleConnections) = (2, 2)
        #expect(transport.traffic(to: first.server.baseURL) == idle)
        var all = idle
        (all.openConnections, all.runningRequests) = (3, 1)
        #expect(transport.traffic == all)

        second.answer()
        await transport.shutDown()
        #expect(transport.traffic == CurlTransport.Traffic())
        for subscription in subscriptions + [fourth] { subscription.dispose() }
    }
}
