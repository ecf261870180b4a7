import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Download", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct DownloadTests {
    private let directory = TemporaryDirectory()
    private var target: URL { directory.url.appending(path: "file.bin") }

    private func download(_ route: LoopbackServer.Route, to target: URL? = nil) throws -> Observable<Download> {
        let chain = URLChain(transport: CurlTransport()).route(.get, try running(route).baseURL + "file")
        return chain.download(to: target ?? self.target).stream()
    }

    @Test func `A file is downloaded completely, with progress`() throws {
        let download = try download(.get("/file") { _ in .generated(bytes: 5_000_000) })
        let events = download.ended().elements
        #expect(events.last == .finished(target))
        let progress = events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
        #expect(progress.last == TransferEvent.Progress(completed: 5_000_000, total: 5_000_000))
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
        #expect(try Data(contentsOf: target) == LoopbackServer.Response.generatedBytes(0..<5_000_000))
        #expect(directory.names == ["file.bin"])
    }

    @Test(
        arguments: [
            LoopbackServer.Fault.close(at: .inBody(after: 2_000)), .reset(at: .inBody(after: 2_000)), .contentLength(9_000),
        ])
    func `What fails in the middle leaves the file that was there`(fault: LoopbackServer.Fault) throws {
        _ = try directory.file("file.bin", Data("old".utf8))
        let download = try download(.get("/file") { _ in .generated(bytes: 5_000) }.with(fault))
        #expect(download.ended().error is TechnicalError)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        #expect(directory.names == ["file.bin"])
    }

    @Test func `An unsuccessful status is an HTTP error and creates no file`() throws {
        let download = try download(.get("/file") { _ in .text("no", status: 403) })
        #expect((download.ended().error as? HTTPError)?.failure.body == Data("no".utf8))
        #expect(directory.names.isEmpty)
    }

    @Test func `A disposed download leaves nothing`() throws {
        let server = try running(.get("/file") { _ in .generated(bytes: 100_000) }.with(.hang(at: .inBody(after: 50_000))))
        let (begun, closed) = (Slot<Bool>(), server.closing())
        let download = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "file").download(to: target).stream()
        let subscription = download.subscribe(onNext: { _ in begun.fill(true) })
        #expect(begun.wait() == true)
        #expect(directory.names.count == 1)
        subscription.dispose()
        #expect(closed.wait()?.interrupted != nil)
        // A write that has begun on the queue of the download ends first.
        #expect(comesTrue { directory.names.isEmpty })
    }

    @Test func `A file that cannot be written is reported`() throws {
        let download = try download(.get("/file") { _ in .text("x") }, to: URL(filePath: "/nowhere/at/all"))
        #expect(download.ended().error as? Download.Failure == .unwritable(path: "/nowhere/at/all", reason: "No such file or directory"))
    }
}
