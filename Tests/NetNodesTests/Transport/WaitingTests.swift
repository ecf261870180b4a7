import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// Each in a process of its own: other tests wake up meanwhile, and a sanitizer has a thread that does.
@Suite("Waiting", .countsResources)
struct WaitingTests {
    @Test(.startsChild) func `While a request waits for its response, on a new connection, no thread wakes up`() async {
        await #expect(processExitsWith: .success) {
            let (arrived, mayAnswer) = (Slot<Bool>(), Slot<Bool>())
            let server = try ScriptedServer { connection in
                guard connection.readRequest() != nil else { return }
                arrived.fill(true)
                _ = mayAnswer.wait()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let answered = Slot<Data>()
            let subscription = CurlTransport().response(to: HTTPRequest(.get, server.url())).subscribe(onNext: { answered.fill($0.body) })
            #expect(arrived.wait() == true)
            let isAtRest = try isSanitized || SleepingThreads.comeToRest()
            #expect(isAtRest)
            mayAnswer.fill(true)
            #expect(answered.wait() == Data("ok".utf8))
            subscription.dispose()
        }
    }

    @Test(.startsChild) func `Idle connections wake no thread, and neither does an idle event stream`() async {
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
            let isAtRest = try isSanitized || SleepingThreads.comeToRest()
            #expect(isAtRest)
            subscription.dispose()
        }
    }
}
