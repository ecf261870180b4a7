import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// The responses that the client of a simulation and the handshake of WebSockets read, beside libcurl.
@Suite("Kinds of responses", .countsResources, .blocksThread)
struct ResponseTableTests {
    @Test func `libcurl reads or refuses each kind of response as the table says`() throws {
        let transport = CurlTransport()
        let served = Lock(0)
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(ResponseSample.all[served.withLock { $0 }].text)
        }
        for (number, sample) in ResponseSample.all.enumerated() {
            served.withLock { $0 = number }
            let ended = transport.response(to: HTTPRequest(.get, server.url(), headers: ["Connection": "close"])).ended()
            let reading = ended.elements.first.map { .body(String(decoding: $0.body, as: UTF8.self)) } ?? reading(of: ended.error)
            switch (sample.libcurl, sample.reading) {
            case (.reads(let body), _): #expect(reading == .body(body), "\(sample.name)")
            case (_, .refused): #expect(reading != .incomplete && ended.elements.isEmpty, "\(sample.name): \(reading)")
            default: #expect(reading == sample.reading, "\(sample.name)")
            }
        }
    }

    @Test(arguments: ResponseSample.heads) func `A handshake refuses each head that is no answer, for the reason in the table`(
        _ sample: ResponseSample
    ) throws {
        var handshake = try ClientHandshake(HTTPRequest(.get, try "http://a/".url()), subprotocols: [], redirects: 0)
        let error = #expect(throws: (any Error).self) { try handshake.consume(Data(sample.text.utf8), isEnd: true) }
        switch sample.reading {
        case .refused: #expect(reading(of: error) == sample.reading)
        case .body, .incomplete: #expect(error is WebSocketConnection.Failure)
        }
    }

    private func reading(of error: (any Error)?) -> ResponseSample.Reading {
        switch error as? TransportError {
        case .malformedResponse(_, let reason)?: .refused(reason)
        case .incompleteBody?: .incomplete
        default: .refused(error.map { "\($0)" } ?? "nothing")
        }
    }
}
