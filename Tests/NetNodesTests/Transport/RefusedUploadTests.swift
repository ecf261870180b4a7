import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Uploads rejected midway", .countsResources, .blocksThread)
struct RefusedUploadTests {
    private static let refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n"
    private let transport = CurlTransport()

    private func bodies() throws -> (TemporaryDirectory, [HTTPRequest.Body]) {
        let directory = TemporaryDirectory()
        let data = Data(repeating: 7, count: 20_000_000)
        return (directory, [.data(data), .file(try directory.file("large", data))])
    }

    @Test(arguments: [1000, 300_000])
    func `The response of a server that stops reading is delivered, and the rest is not sent`(count: Int) throws {
        let server = try ScriptedServer { connection in
            connection.readSome(count)
            connection.send(Self.refusal + "\r\nlarge")
            _ = connection.waitForClose()
        }
        let (directory, bodies) = try bodies()
        for body in bodies {
            let result = transport.response(to: HTTPRequest(.post, server.url(), body: body)).ended()
            #expect(result.elements.first?.status == 413, "\(result)")
            #expect(result.elements.first?.body == Data("large".utf8))
        }
        withExtendedLifetime(directory) {}
    }

    /// The system may throw away what was sent before the connection was closed with unread data on it.
    @Test(arguments: [0, 1000, 300_000])
    func `A server that closes ends the upload with its response or as a lost connection`(count: Int) throws {
        let server = try ScriptedServer { connection in
            connection.readSome(count)
            connection.send(Self.refusal + "Connection: close\r\n\r\nlarge")
        }
        let (directory, bodies) = try bodies()
        for body in bodies {
            for _ in 0..<20 {
                let result = transport.response(to: HTTPRequest(.post, server.url(), body: body)).ended()
                let isLost = if case .connectionLost? = result.error as? TransportError { true } else { false }
                #expect(isLost || result.elements.first?.status == 413, "\(result)")
            }
        }
        withExtendedLifetime(directory) {}
    }
}
