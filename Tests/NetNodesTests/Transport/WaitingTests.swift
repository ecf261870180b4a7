import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Waiting", .countsResources)
struct WaitingTests {
    /// In a process of its own: other tests use CPU meanwhile.
    @Test func `a request that waits 5 s for its response, on a new connection, uses less than 50 ms of CPU`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { connection in
                guard connection.readRequest() != nil else { return }
                _ = connection.waitForClose(milliseconds: 5_000)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let used = quickest(below: .milliseconds(50)) {
                let transport = CurlTransport()
                let start = (cpu: processTime(), clock: ContinuousClock.now)
                let result = transport.response(to: HTTPRequest(.get, server.url())).ended()
                #expect(result.elements.first?.body == Data("ok".utf8))
                #expect(ContinuousClock.now - start.clock > .seconds(4.9))
                return processTime() - start.cpu
            }
            #expect(used < .milliseconds(50))
        }
    }

    @Test func `idle connections use no CPU, and neither does an idle event stream`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer.answering { connection, request in
                guard request.line.contains("/events") else { return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
                _ = connection.waitForClose()
            }
            let transport = CurlTransport()
            let responses = Observable.merge((0..<8).map { _ in transport.response(to: HTTPRequest(.get, server.url())) })
            #expect(responses.ended().elements.count == 8)
            let opened = Slot<String>()
            let subscription = URLChain(transport: transport).route(.get, server.url("/events")).events().stream().subscribe { event in
                if let element = event.element { opened.fill(element.data) }
            }
            #expect(opened.wait() == "1")
            #expect(leastProcessTime(below: .milliseconds(20), inSeconds: 2) < .milliseconds(20))
            subscription.dispose()
        }
    }
}
