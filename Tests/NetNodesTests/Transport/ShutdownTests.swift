import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("The orderly shutdown of a transport", .countsResources, .stopsServers, .blocksThread)
struct ShutdownTests {
    @Test func `Running requests end, further ones fail, and no connection is left`() throws {
        let (arrived, mayAnswer, closed) = (Slot<Bool>(), Slot<Bool>(), Counter())
        let server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                if request.line.contains("/slow") {
                    arrived.fill(true)
                    _ = mayAnswer.wait()
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            closed.increment()
        }
        let transport = CurlTransport()
        let answer = Slot<String>()
        let running = transport.response(to: HTTPRequest(.get, server.url("/slow")))
            .subscribe(onNext: { answer.fill(String(decoding: $0.body, as: UTF8.self)) })
        #expect(arrived.wait() == true)
        #expect(transport.response(to: HTTPRequest(.get, server.url())).ended().error == nil)
        let ended = transport.beginShutDown(within: .seconds(300))
        // The shutdown is on its way to the thread of the transport.
        #expect(comesTrue { transport.response(to: HTTPRequest(.get, server.url())).ended().error != nil })
        let refused = transport.response(to: HTTPRequest(.get, server.url())).ended().error as? TransportError
        #expect(refused == .cannotConnect(url: server.url().absoluteString, reason: "the transport was shut down"))
        #expect(ended.wait(0) == nil)
        mayAnswer.fill(true)
        #expect(answer.wait() == "ok")
        #expect(ended.wait() == true)
        #expect(comesTrue { closed.value == server.connectionCount })
        #expect(transport.beginShutDown(within: .zero).wait() == true)
        running.dispose()
    }

    @Test func `What has not ended in time fails, and what was received is still delivered`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 100_000) }.with(.hang(at: .inBody(after: 50_000))))
        let transport = CurlTransport()
        let hanging = transport.transfer(HTTPRequest(.get, try server.baseURL + "a"))
        let mustSuspend = Lock(true)
        let waiting = SuspendingSubscriber(to: hanging) { event in
            if case .chunk = event { mustSuspend.withLock { $0 } } else { false }
        }
        #expect(waiting.suspends())
        let response = Slot<TransportError>()
        let collected = transport.response(to: HTTPRequest(.get, try server.baseURL + "a"))
            .subscribe(onNext: { _ in }, onError: { response.fill($0 as? TransportError ?? .noResponse) })
        #expect(transport.beginShutDown(within: .milliseconds(10)).wait() == true)
        let reason = "the transport was shut down"
        #expect(response.wait() == .connectionLost(url: "\(server.baseURL)/a", reason: reason))
        mustSuspend.withLock { $0 = false }
        waiting.resume()
        #expect(waiting.completes() == false)
        #expect(waiting.error as? TransportError == .connectionLost(url: "\(server.baseURL)/a", reason: reason))
        collected.dispose()
        waiting.dispose()
    }
}
