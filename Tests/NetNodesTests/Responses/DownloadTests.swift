import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Download", .countsResources)
struct DownloadTests {
    private let directory = TemporaryDirectory()
    private var target: URL { directory.url.appending(path: "file.bin") }

    private func download(_ routes: ServerRoute...) throws -> (LoopbackServer, Observable<Download>) {
        let server = LoopbackServer(routes: routes)
        try server.start()
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "file").download(to: target)
        return (server, chain.stream())
    }

    @Test("a file is downloaded completely, with progress")
    func whole() throws {
        let (server, download) = try download(.get("/file") { _ in .generated(bytes: 5_000_000) })
        defer { server.stop() }
        let events = download.ended().elements
        #expect(events.last == .finished(target))
        let progress = events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
        #expect(progress.last == TransferProgress(completed: 5_000_000, total: 5_000_000))
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
        #expect(try Data(contentsOf: target) == ServerResponse.generatedBytes(0..<5_000_000))
        #expect(directory.names == ["file.bin"])
    }

    @Test(
        "what fails in the middle leaves the file that was there",
        arguments: [
            Fault.close(at: .inBody(after: 2_000)), .reset(at: .inBody(after: 2_000)), .contentLength(9_000),
        ])
    func broken(fault: Fault) throws {
        _ = try directory.file("file.bin", Data("old".utf8))
        let (server, download) = try download(.get("/file") { _ in .generated(bytes: 5_000) }.with(fault))
        defer { server.stop() }
        #expect(download.ended().error is TechnicalError)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        #expect(directory.names == ["file.bin"])
    }

    @Test("an unsuccessful status is an HTTP error and creates no file")
    func badStatus() throws {
        let (server, download) = try download(.get("/file") { _ in .text("no", status: 403) })
        defer { server.stop() }
        #expect((download.ended().error as? HTTPError)?.failure.body == Data("no".utf8))
        #expect(directory.names.isEmpty)
    }

    @Test("a disposed download leaves nothing")
    func disposed() throws {
        let (server, download) = try download(.get("/file") { _ in .generated(bytes: 100_000) }.with(.hang(at: .inBody(after: 50_000))))
        defer { server.stop() }
        let begun = Slot<Bool>()
        let closed = Slot<Bool>()
        let closings = server.connectionClosed.subscribe { _ in closed.fill(true) }
        let subscription = download.subscribe(onNext: { _ in begun.fill(true) })
        #expect(begun.wait() == true)
        #expect(directory.names.count == 1)
        subscription.dispose()
        #expect(closed.wait() == true)
        #expect(directory.names.isEmpty)
        closings.dispose()
    }

    @Test("a file that cannot be written is reported")
    func unwritable() throws {
        let server = try running(.get("/file") { _ in .text("x") })
        defer { server.stop() }
        let target = URL(filePath: "/nowhere/at/all")
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "file").download(to: target)
        #expect(chain.stream().ended().error as? DownloadError == .unwritable(path: target.path, reason: "No such file or directory"))
    }
}
