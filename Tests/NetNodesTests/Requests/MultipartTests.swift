import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Multipart", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct MultipartTests {
    private let directory = TemporaryDirectory()

    /// A server that records the requests, and a chain to it.
    private func serving() throws -> (server: LoopbackServer, chain: URLChain<Routed, Void>) {
        let server = try running(.any("/upload") { _ in .empty() })
        return (server, URLChain(transport: CurlTransport()).route(.post, try server.baseURL + "upload"))
    }

    /// The server's view: the boundary, and the body with it replaced.
    private func seen(_ request: LoopbackServer.Request?) throws -> (boundary: String, body: String) {
        let type = try #require(request?.headers["Content-Type"])
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
        return (boundary, (request?.text ?? "").replacing(boundary, with: "BOUNDARY"))
    }

    @Test func `Fields and files arrive in the given order, with name, type and content`() throws {
        let (server, chain) = try serving()
        let file = try directory.file("notes.txt", Data("from disk".utf8))
        let form = MultipartForm([
            .field("title", "Ferien ☀"), .file("photo", file, type: "text/plain"), .data("raw", Data("\r\n--\0".utf8), fileName: "a.bin"),
            .file("named", file, fileName: "other.txt"), .field("title", ""),
        ])
        #expect(chain.multipart.void.stream(form).ended().error == nil)
        let body = try seen(server.recordedRequests.first).body
        let expected = [
            "--BOUNDARY\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nFerien ☀\r\n",
            "--BOUNDARY\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"notes.txt\"\r\nContent-Type: text/plain\r\n\r\nfrom disk\r\n",
            "--BOUNDARY\r\nContent-Disposition: form-data; name=\"raw\"; filename=\"a.bin\"\r\n",
            "Content-Type: application/octet-stream\r\n\r\n\r\n--\0\r\n",
            "--BOUNDARY\r\nContent-Disposition: form-data; name=\"named\"; filename=\"other.txt\"\r\n",
            "Content-Type: application/octet-stream\r\n\r\nfrom disk\r\n",
            "--BOUNDARY\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\r\n--BOUNDARY--\r\n",
        ]
        #expect(body == expected.joined())
        #expect(server.recordedRequests.first?.headers["Content-Length"] == server.recordedRequests.first.map { "\($0.body.count)" })
    }

    @Test func `Quotes and line breaks in names terminate neither the name nor the line`() throws {
        let (server, chain) = try serving()
        let form = MultipartForm([.data("a\"\r\nX-Evil: 1\r\n\r\nb", Data(), fileName: "c\"; filename=\"d\n\0")])
        #expect(chain.multipart.void.stream(form).ended().error == nil)
        let body = try seen(server.recordedRequests.first).body
        #expect(body.contains("name=\"a%22%0D%0AX-Evil: 1%0D%0A%0D%0Ab\"; filename=\"c%22; filename=%22d%0A%00\"\r\n"))
        #expect(!body.contains("\nX-Evil"))
        let evil = MultipartForm([.data("a", Data(), fileName: "b", type: "text/plain\r\nX-Evil: 1")])
        #expect(chain.multipart.void.stream(evil).ended().error as? MultipartForm.Failure == .invalidType(part: "a"))
        #expect(chain.multipart.void.stream(MultipartForm([])).ended().error as? MultipartForm.Failure == .noParts)
        #expect(server.recordedRequests.count == 1)
    }

    @Test func `Each form has a boundary of its own that does not occur in its data`() throws {
        let (server, chain) = try serving()
        for _ in 0..<20 { #expect(chain.multipart.void.stream(MultipartForm([.field("a", "b")])).ended().error == nil) }
        let boundaries = try server.recordedRequests.map { try seen($0).boundary }
        #expect(Set(boundaries).count == 20)
        #expect(boundaries.allSatisfy { $0.utf8.count <= 70 && $0.utf8.allSatisfy { isTokenByte($0) } })
    }

    @Test func `A file that cannot be read is a typed error, and nothing is sent`() throws {
        let (server, chain) = try serving()
        for path in ["/nowhere/at/all", directory.url.path] {
            let form = MultipartForm([.field("a", "b"), .file("c", URL(filePath: path))])
            let error = chain.multipart.void.stream(form).ended().error
            #expect(error?.kind == "TransportError.unreadableBody")
            #expect(error?.localizedDescription.contains(path) == true)
        }
        #expect(chain.upload().void.stream(URL(filePath: "/nowhere")).ended().error is TransportError)
        #expect(server.counts.requests == 0)
        #expect(server.counts.connectionsOpened == 0)
    }

    @Test func `Header providers are called for forms too, for each request`() throws {
        let (server, chain) = try serving()
        struct Counting: HeaderProvider {
            let counter = Counter()
            func headers() -> HTTPHeaders {
                counter.increment()
                return ["X-Count": "\(counter.value)"]
            }
        }
        let upload = chain.headers(Counting()).multipart.void
        for _ in 0..<2 { #expect(upload.stream(MultipartForm([.field("a", "b")])).ended().error == nil) }
        #expect(server.recordedRequests.map { $0.headers["X-Count"] } == ["1", "2"])
    }

    @Test func `A rejected form is sent again completely, including files`() throws {
        let file = try directory.file("large", Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }))
        let server = try running(
            .script(nil, "/upload", LoopbackServer.Script([.empty(503), .redirect(to: "/other", status: 307)])),
            .put("/other") { _ in .empty() })
        let chain = URLChain(transport: CurlTransport()).retry(.transient(initial: .milliseconds(1))).route(
            .put, try server.baseURL + "upload")
        #expect(chain.multipart.void.stream(MultipartForm([.field("a", "b"), .file("f", file)])).ended().error == nil)
        let bodies = server.recordedRequests.map(\.body)
        #expect(bodies.count == 3)
        #expect(bodies.allSatisfy { $0 == bodies[0] && $0.count > 3_000_000 })
    }

    @Test(.startsChild) func `A large file is not read into memory`() async throws {
        let path = directory.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let file = URL(filePath: path).appending(path: "large")
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            #expect(truncate(file.path, 300_000_000) == 0)
            let received = Slot<Int>()
            let server = try ScriptedServer { connection in
                received.fill(connection.countBody() ?? -1)
                connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let before = peakMemory()
            let form = MultipartForm([.field("a", "b"), .file("f", file)])
            let chain = URLChain(transport: CurlTransport()).route(.post, server.url()).multipart.void
            #expect(chain.stream(form).ended().error == nil)
            #expect(received.wait().map { $0 > 300_000_000 } == true)
            #expect(peakMemory() - before < 30_000_000 || isSanitized)
        }
    }

    @Test func `A file is uploaded unchanged, with progress`() throws {
        let (server, chain) = try serving()
        let content = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let file = try directory.file("a.bin", content)
        let events = chain.upload(type: "image/png").transfer.stream(file).ended()
        #expect(server.recordedRequests.first?.body == content)
        #expect(server.recordedRequests.first?.headers["Content-Type"] == "image/png")
        let progress = events.elements.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
        #expect(progress.last == TransferEvent.Progress(completed: 2_000_000, total: 2_000_000))
    }

    @Test func `Metadata does not replace the type of a form, which holds its boundary`() throws {
        let (server, chain) = try serving()
        let form = MultipartForm([.field("a", "b")])
        #expect(chain.metadata(["Content-Type": "text/plain"]).multipart.void.stream(form).ended().error == nil)
        #expect(try seen(server.recordedRequests.first).body.contains("name=\"a\""))
        #expect(server.recordedRequests.first?.headers.values("Content-Type").count == 1)
    }

    @Test func `The nodes by hand, and their operators on any stream`() throws {
        let (server, _) = try serving()
        let route: any URLRouteProvider = try server.baseURL + "upload"
        let transport = CurlTransport()
        let sender = RequestSenderNode(transport: transport, next: ResponseProcessorNode(next: AnyNode { Observable.just($0.status) }))
        let creator = MultipartRequestCreatorNode(providers: [HTTPHeaders([.init(name: "X", value: "1")])], next: sender)
        let node = MultipartURLRequestTransformatorNode(next: creator)
        let form = MultipartForm([.field("a", "b")])
        #expect(node.stream(RoutedRequest(metadata: ["Y": "2"], raw: form, route: route)).ended().elements == [204])
        let lines = Observable.from(["one", "two"]).map { MultipartForm([.field("line", $0)]) }.metadata([:]).route(route)
        #expect(
            lines.httpRequest(.post).headers(from: ["X": "3"] as HTTPHeaders).send(on: transport, max: 1).ended().elements.count
                == 2)
        #expect(server.recordedRequests.map { $0.headers["X"] } == ["1", "3", "3"])
        #expect(server.recordedRequests.first?.headers["Y"] == "2")
    }
}
