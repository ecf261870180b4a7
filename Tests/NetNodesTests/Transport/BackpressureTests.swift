import Foundation
import LoopbackServer
import StreamsTesting
import Synchronization
import Testing

@testable import NetNodes

@Suite("Pause and resume", .countsResources, .stopsServers)
struct BackpressureTests {
    private static let length = 60_000_000

    /// A server that counts how many bytes of a long body it could send.
    private func serving(_ sent: Atomic<Int>.Reference) throws -> ScriptedServer {
        try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.length)\r\n\r\n")
            let block = [UInt8](repeating: 0x61, count: 100_000)
            for _ in 0..<(Self.length / block.count) {
                connection.send(block)
                sent.value.add(block.count, ordering: .relaxed)
            }
            _ = connection.waitForClose()
        }
    }

    @Test func `while a transfer is paused the server cannot continue sending, and after resuming everything is received`() throws {
        let sent = Atomic<Int>.Reference(0)
        let server = try serving(sent)
        let isPaused = BehaviorRelay(value: false)
        let received = Atomic<Int>.Reference(0)
        let begun = Slot<Bool>()
        let ended = Slot<Bool>()
        let transfer = CurlTransport().transfer(HTTPRequest(.get, server.url()), pausedWhile: isPaused.asObservable())
        let subscription = transfer.subscribe { event in
            switch event {
            case .next(.chunk(let data)):
                if received.value.add(data.count, ordering: .relaxed).oldValue == 0 { isPaused.accept(true) }
                begun.fill(true)
            case .completed: ended.fill(true)
            case .next: break
            case .error: ended.fill(false)
            }
        }
        #expect(begun.wait() == true)
        // The server comes to a standstill, however long it takes for that.
        var before = (-1, -1)
        while case let now = (sent.value.load(ordering: .relaxed), received.value.load(ordering: .relaxed)), now != before {
            before = now
            try #require(ended.wait(0.3) == nil)
        }
        #expect(before.0 < Self.length / 2)
        #expect(before.1 < 1_000_000)
        isPaused.accept(false)
        #expect(ended.wait() == true)
        #expect(received.value.load(ordering: .relaxed) == Self.length)
        subscription.dispose()
    }

    @Test func `what is paused for longer than the limit of silence is not silent`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 100_000) })
        let url = try server.baseURL + "a"
        let isReceived = succeedsAtSomePace { limit in
            let request = HTTPRequest(.get, url, timeouts: .init(idle: limit))
            let isPaused = BehaviorRelay(value: true)
            let (head, ended) = (Slot<Bool>(), Slot<Bool>())
            let transfer = CurlTransport().transfer(request, pausedWhile: isPaused.asObservable())
            let subscription = transfer.subscribe { event in
                switch event {
                case .next(.head): head.fill(true)
                case .next: break
                case .error: ended.fill(false)
                case .completed: ended.fill(true)
                }
            }
            defer { subscription.dispose() }
            guard head.wait() == true, ended.wait(3 * (limit / .seconds(1))) == nil else { return false }
            isPaused.accept(false)
            return ended.wait() == true
        }
        #expect(isReceived)
    }

    @Test func `a paused transfer can be disposed, and one that starts paused delivers its head only`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 10_000_000) })
        let (closed, head, chunk) = (server.closing(), Slot<HTTPResponseHead>(), Slot<Data>())
        let request = HTTPRequest(.get, try server.baseURL + "a")
        let subscription = CurlTransport().transfer(request, pausedWhile: .just(true)).subscribe { event in
            if case .next(.head(let value)) = event { head.fill(value) }
            if case .next(.chunk(let data)) = event { chunk.fill(data) }
        }
        #expect(head.wait()?.status == 200)
        #expect(chunk.wait(0.1) == nil)
        subscription.dispose()
        #expect(closed.wait()?.interrupted != nil)
    }

    @Test func `a download can be paused and resumed`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 10_000_000) })
        let directory = TemporaryDirectory()
        let target = directory.url.appending(path: "a")
        let isPaused = BehaviorRelay(value: true)
        let node = DownloadNode(transport: CurlTransport(), to: target, pausedWhile: isPaused.asObservable())
        let finished = Slot<Bool>()
        let subscription = node.stream(HTTPRequest(.get, try server.baseURL + "a")).subscribe(onCompleted: { finished.fill(true) })
        #expect(finished.wait(0.2) == nil)
        isPaused.accept(false)
        #expect(finished.wait() == true)
        #expect(try Data(contentsOf: target).count == 10_000_000)
        subscription.dispose()
    }
}

extension Atomic<Int> {
    /// A number that several threads may share.
    final class Reference: Sendable {
        let value: Atomic<Int>

        init(_ value: Int) {
            self.value = Atomic(value)
        }
    }
}
