import TestSupport
import Testing

@testable import HTTPMessages

@Suite("Reading requests")
struct RequestTableTests {
    @Test(arguments: RequestSample.all) func `Each kind of request is served or refused as the table says`(_ sample: RequestSample) {
        let parsed = Parsed([Array(sample.text.utf8)], as: .server, bodyLimit: 64 << 20)
        switch sample.answer {
        case .served: #expect(parsed.isComplete, "\(String(describing: parsed.fault))")
        case .awaited: #expect(parsed.fault == nil && !parsed.isComplete)
        // What a request expects is not the matter of the parser.
        case .refused(417): #expect(parsed.isComplete)
        case .refused(let status): #expect(parsed.fault.map(Self.status) == status)
        }
    }

    private static func status(of fault: MessageFault) -> Int {
        switch fault {
        case .malformed, .incomplete: 400
        case .bodyTooLong: 413
        case .startLineTooLong: 414
        case .headerTooLong: 431
        case .unknownCoding: 501
        case .unknownVersion: 505
        }
    }

    @Test func `The table has each name once`() {
        #expect(Set(RequestSample.all.map(\.name)).count == RequestSample.all.count)
        #expect(Set(ResponseSample.all.map(\.name)).count == ResponseSample.all.count)
    }

    @Test func `The head of a request is its method, its path, its version and its fields`() throws {
        let text = "POST http://a:80/b?c HTTP/1.0\r\nHost: a\r\nX: \tä \r\nx:\r\n\r\n"
        let head = try #require(Parsed([Array(text.utf8)], as: .server).heads.first)
        #expect(head.start == .request(method: "POST", target: "/b?c"))
        #expect(head.path == "/b")
        #expect(head.minorVersion == 0)
        #expect(head.headers.map(\.name) == ["Host", "X", "x"])
        #expect(head.headers.map(\.value) == ["a", "ä", ""])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "TE, Close", false), ("HTTP/1.1", "closed", true),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true), ("HTTP/1.0", "keep-alive, close", false),
        ("HTTP/1.0", "keep alive", false),
    ])
    func `Version and options say whether the connection stays open`(version: String, options: String, keepsAlive: Bool) throws {
        let text = "GET / \(version)\r\nHost: a\r\nConnection: \(options)\r\n\r\n"
        #expect(try #require(Parsed([Array(text.utf8)], as: .server).heads.first).keepsAlive == keepsAlive)
    }

    @Test func `An entity tag beyond ASCII is read byte by byte, and written as it was read`() throws {
        let tag: [UInt8] = [0x22, 0xE9, 0xC3, 0xA9, 0x80, 0x22]
        for name in ["ETag", "If-None-Match", "if-match", "If-Range"] {
            let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(name): ".utf8) + tag + Array("\r\n\r\n".utf8)
            let head = try #require(Parsed([bytes], as: .server).heads.first)
            #expect(head.headers[name]?.unicodeScalars.map(\.value) == tag.map { UInt32($0) })
            #expect(head.bytes == bytes)
        }
    }

    @Test(arguments: ["\"a\"", "\"ä\"", "\"日本\"", "\"ä日\""])
    func `An entity tag of any text is one and the same after it has been sent and received`(tag: String) throws {
        let sent = MessageHead.bytes("HTTP/1.1 200 OK", ["ETag": tag])
        let received = try #require(Parsed([sent], as: .client).heads.first?.headers["ETag"])
        #expect(received == HeaderText.received(entityTag: tag))
        let again = try #require(Parsed([MessageHead.bytes("HTTP/1.1 200 OK", ["ETag": received])], as: .client).heads.first)
        #expect(again.headers["ETag"] == received)
    }
}
