import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Server-sent events", .onOneThread, .countsResources, .blocksThread)
struct ServerSentEventTests {
    private static let text =
        "\u{FEFF}: hello\n\ndata: a\ndata:  b\n\nid: 7\nevent: tick\r\ndata: {\"n\":1}\r\n\r\nretry: 250\rdata\r\rdata: é\nid\n\ndata: lost"

    private static let events = [
        ServerSentEvent(data: "a\n b"), ServerSentEvent(id: "7", name: "tick", data: "{\"n\":1}"), ServerSentEvent(id: "7", data: ""),
        ServerSentEvent(id: "", data: "é"),
    ]

    @Test(arguments: [1, 2, 3, 5, 7, 1000]) func `Events are parsed however the bytes are split`(size: Int) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(Self.text.utf8)[...]
        while !rest.isEmpty {
            events += try parser.consume(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(events == Self.events)
        #expect(parser.reconnectionTime == .milliseconds(250))
    }

    @Test func `Events are parsed wherever the bytes are cut in two`() throws {
        let bytes = Array(Self.text.utf8)
        for cut in bytes.indices {
            var parser = ServerSentEventParser()
            #expect(try parser.consume(bytes[..<cut]) + parser.consume(bytes[cut...]) == Self.events, "cut at \(cut)")
        }
    }

    @Test(arguments: ["\n", "\r", "\r\n"]) func `An event comes with the first byte that ends its empty line`(end: String) throws {
        let first = ["id: 1", "data: a", ""].map { $0 + end }.joined()
        let second = ["event: b", "data: c", "data", ""].map { $0 + end }.joined()
        let expected = [ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", name: "b", data: "c\n")]
        var parser = ServerSentEventParser()
        let counts = try (first + second).utf8.map { try parser.consume([$0]) }
        let places = [first.utf8.count - end.utf8.count, (first + second).utf8.count - end.utf8.count]
        #expect(counts.indices.filter { !counts[$0].isEmpty } == places)
        #expect(counts.flatMap(\.self) == expected)
    }

    @Test(arguments: [
        ("data: aaaa\n\n", true), ("data: aaaaa\n\n", false), (": aaaaaaaa\n", true), (": aaaaaaaaa\n", false), ("data:a\ndata:b\n", true),
        ("data:aaaa\ndata:b\n", true), ("data:aaaa\ndata:bb\n", false), ("data:aaaa\n\ndata:bb\n\n", true), ("aaaaaaaaaa", true),
        ("aaaaaaaaaaa", false),
    ])
    func `A line and the data before it are as long as the limit, wherever they are cut`(text: String, isAccepted: Bool) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var parser = ServerSentEventParser(limit: 10)
            let result = Result { [try parser.consume(bytes[..<cut]), try parser.consume(bytes[cut...])] }
            #expect(((try? result.get()) != nil) == isAccepted, "cut at \(cut)")
            guard case .failure(let error) = result else { continue }
            #expect(error as? ServerSentEvent.Failure == .eventTooLong(limit: 10))
        }
    }

    @Test func `An endless event is an error and uses bounded memory`() {
        var parser = ServerSentEventParser(limit: 100)
        #expect(throws: ServerSentEvent.Failure.eventTooLong(limit: 100)) { try parser.consume([UInt8](repeating: 0x61, count: 1000)) }
    }

    @Test func `Events are emitted as they are received, and a lost connection is resumed`() throws {
        let connections = Counter()
        let resumed = Slot<String>()
        let server = try ScriptedServer { connection in
            guard let request = connection.readRequest() else { return }
            connections.increment()
            if connections.value > 1 { resumed.fill(request.headers["last-event-id"] ?? "") }
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 10\n\n")
            connection.send("id: \(connections.value)\ndata: {\"name\": \"\(connections.value)\"}\n\n")
        }
        let events = URLChain(transport: CurlTransport()).route(.get, server.url()).events(URLChainTests.User.self).stream()
        #expect(events.take(3).map(\.name).ended().elements == ["1", "2", "3"])
        #expect(resumed.wait() == "1")
    }

    @Test func `An event without an identifier after a reconnection has that of the connection before`() throws {
        let connections = Counter()
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            let id = connections.increment() == 1 ? "id: 7\n" : ""
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 10\n\(id)data: x\n\n")
        }
        let events = URLChain(transport: CurlTransport()).route(.get, server.url()).events().stream()
        #expect(events.take(2).map(\.id).ended().elements == ["7", "7"])
    }

    @Test(arguments: ["text/event-stream": true, "Text/Event-Stream ; charset=utf-8": true, "text/event-streamer": false, "": false])
    func `Only text/event-stream is an event stream`(type: String, isOne: Bool) throws {
        let server = try ScriptedServer.answering(
            "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 9\r\n\r\ndata: x\n\n")
        let end = URLChain(transport: CurlTransport()).route(.get, server.url()).events(reconnection: nil).stream().ended()
        #expect(end.elements.map(\.data) == (isOne ? ["x"] : []))
        #expect((end.error is ServerSentEvent.Failure) != isOne)
    }

    @Test func `204 completes the stream, an unsuccessful status or another type fails it`() throws {
        let chain = URLChain(transport: CurlTransport())
        let done = try ScriptedServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(chain.route(.get, done.url()).events().stream().ended().error == nil)
        let missing = try ScriptedServer.answering("HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\nno")
        #expect((chain.route(.get, missing.url()).events().stream().ended().error as? HTTPError)?.failure.body == Data("no".utf8))
        let page = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n")
        #expect(
            chain.route(.get, page.url()).events().stream().ended().error as? ServerSentEvent.Failure
                == .notAnEventStream(contentType: "text/html", url: page.url().absoluteString))
    }

    @Test func `Disposing closes the connection at the server`() throws {
        let closed = Slot<Bool>()
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            closed.fill(connection.waitForClose())
        }
        let events = URLChain(transport: CurlTransport()).route(.get, server.url()).events().stream()
        #expect(events.take(1).ended().elements.map(\.data) == ["1"])
        #expect(closed.wait() == true)
    }
}
