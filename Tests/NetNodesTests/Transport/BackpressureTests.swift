import Foundation
import LoopbackServer
import StreamsTesting
import Synchronization
import Testing

@testable import NetNodes

@Suite("Transfers whose subscriber is suspended", .countsResources, .stopsServers, .blocksThread)
struct BackpressureTests {
    private static let length = 60_000_000

    private func transfer(_ server: LoopbackServer, idle: Duration? = nil) -> Observable<TransferEvent> {
        CurlTransport().transfer(HTTPRequest(.get, server.baseURL.appending(path: "a"), timeouts: .init(idle: idle)))
    }

    @Test func `The server cannot continue sending, and after resuming everything is received`() throws {
        let server = try EagerServer.responding(with: [UInt8](repeating: 0x61, count: 100_000), times: Self.length / 100_000)
        let mustSuspend = Lock(true)
        let subscriber = SuspendingSubscriber(to: CurlTransport().transfer(HTTPRequest(.get, server.server.url()))) { event in
            event.isChunk && mustSuspend.withLock { $0 }
        }
        #expect(subscriber.begins())
        #expect(settled { server.sent } < Self.length / 2)
        #expect(subscriber.elements.count(where: \.isChunk) == 1)
        #expect(subscriber.body.count < 1_000_000)
        mustSuspend.withLock { $0 = false }
        subscriber.resume()
        #expect(subscriber.completes() == true)
        #expect(subscriber.body.count == Self.length)
        subscriber.dispose()
    }

    @Test(arguments: [true, false]) func `Suspended and resumed at every event, it delivers every byte`(isCompressed: Bool) throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
        let server = try running(
            .get("/a") { _ in isCompressed ? .data(body, type: "text/plain").gzipped() : .data(body, type: "text/plain") })
        let subscriber = SuspendingSubscriber.suspendedAlways(to: transfer(server))
        #expect(subscriber.completes() == true)
        #expect(subscriber.mostAtOnce == 1)
        #expect(subscriber.body == body)
        subscriber.dispose()
    }

    @Test func `Many at the same time are suspended and resumed at every event`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 1_000_000) })
        let transport = CurlTransport()
        let request = HTTPRequest(.get, try server.baseURL + "a")
        let subscribers = (0..<50).map { _ in SuspendingSubscriber.suspendedAlways(to: transport.transfer(request)) }
        for subscriber in subscribers {
            #expect(subscriber.completes() == true)
            #expect(subscriber.mostAtOnce == 1)
            #expect(subscriber.body.count == 1_000_000)
            subscriber.dispose()
        }
    }

    @Test func `What is suspended for longer than the idle timeout is not idle`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 100_000) })
        let isReceived = succeedsAtSomePace { limit in
            let subscriber = SuspendingSubscriber(to: transfer(server, idle: limit)) { $0.isHead }
            defer { subscriber.dispose() }
            guard subscriber.begins(), subscriber.completes(within: 3 * (limit / .seconds(1))) == nil else { return false }
            subscriber.resume()
            return subscriber.completes() == true
        }
        #expect(isReceived)
    }

    @Test func `A slow loop over values does not fail the idle timeout`() async throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 30_000_000) })
        let transfer = self.transfer
        let isReceived = await Task {
            for doublings in 0..<10 {
                let limit = Duration.milliseconds(50 << doublings)
                var count = 0
                do {
                    for try await event in transfer(server, limit).values(overflow: .suspend(capacity: 1)) {
                        if count == 0, event.isChunk { _ = Slot<Bool>().wait(3 * (limit / .seconds(1))) }
                        if case .chunk(let data) = event { count += data.count }
                    }
                    if count == 30_000_000 { return true }
                } catch {}
            }
            return false
        }.value
        #expect(isReceived)
    }

    @Test func `It can be disposed, and one that is suspended from the beginning delivers nothing`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 10_000_000) })
        let (arrived, closed) = (server.arrival(), server.closing())
        let subscriber = SuspendingSubscriber(to: transfer(server), isSuspended: true)
        #expect(arrived.wait() == true)
        #expect(subscriber.completes(within: 0.1) == nil)
        #expect(subscriber.elements.isEmpty)
        subscriber.dispose()
        #expect(closed.wait()?.interrupted != nil)
    }

    @Test func `An error is behind what was received before it`() throws {
        let server = try running(.get("/a") { _ in LoopbackServer.Response.generated(bytes: 1000).with(.truncate(after: 500)) })
        let failed = SuspendingSubscriber(
            to: CurlTransport().transfer(HTTPRequest(.get, URL(string: "http://127.0.0.1:1/")!)), isSuspended: true)
        #expect(failed.completes() == false)
        let closed = server.closing()
        let cut = SuspendingSubscriber(to: transfer(server), isSuspended: true)
        #expect(closed.wait() != nil)
        #expect(cut.completes(within: 0.1) == nil)
        cut.resume()
        #expect(cut.completes() == false)
        #expect(cut.body.count == 500)
        #expect((cut.error as? TransportError)?.kind == "TransportError.incompleteBody")
    }

    @Test(arguments: [true, false]) func `A collected response is received whole, and does not hold its connection`(isDirect: Bool) throws {
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHost = 1
        let transport = CurlTransport(configuration)
        let server = try running(.get("/a") { _ in .generated(bytes: 10_000_000) })
        let request = HTTPRequest(.get, try server.baseURL + "a")
        let response = isDirect ? transport.response(to: request) : transport.transfer(request).response()
        let subscriber = SuspendingSubscriber(to: response, isSuspended: true)
        #expect(transport.response(to: request).ended().elements.first?.body.count == 10_000_000)
        #expect(subscriber.elements.isEmpty)
        subscriber.resume()
        #expect(subscriber.completes() == true)
        #expect(subscriber.elements.map(\.body.count) == [10_000_000])
    }

    @Test func `A download is suspended and resumed at every report`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 10_000_000) })
        let directory = TemporaryDirectory()
        let target = directory.url.appending(path: "a")
        let node = DownloadNode(transport: CurlTransport(), to: target)
        let subscriber = SuspendingSubscriber.suspendedAlways(to: node.stream(HTTPRequest(.get, try server.baseURL + "a")))
        #expect(subscriber.completes() == true)
        #expect(subscriber.mostAtOnce == 1)
        #expect(try Data(contentsOf: target).count == 10_000_000)
        subscriber.dispose()
    }

    @Test func `An upload goes on while its progress is not taken`() throws {
        let arrived = Slot<Bool>()
        let server = try running(
            .post("/a") { request in
                arrived.fill(true)
                return .text("\(request.body.count)")
            })
        let request = HTTPRequest(
            .post, try server.baseURL + "a", body: .pieces((0..<100).map { _ in .data(Data(repeating: 1, count: 100_000)) }))
        let subscriber = SuspendingSubscriber(to: CurlTransport().transfer(request), isSuspended: true)
        #expect(arrived.wait() == true)
        subscriber.resume()
        #expect(subscriber.completes() == true)
        #expect(String(decoding: subscriber.body, as: UTF8.self) == "10000000")
        #expect(subscriber.elements.count < 20)
    }

    @Test(.startsChild) func `64 MB for a slow subscriber need little memory`() async {
        await #expect(processExitsWith: .success) {
            let server = try running(.get("/small") { _ in .generated(bytes: 1000) }, .get("/large") { _ in .generated(bytes: 64_000_000) })
            defer { server.stop() }
            let transport = CurlTransport()
            _ = transport.transfer(HTTPRequest(.get, try server.baseURL + "small")).ended()
            let before = peakMemory()
            let large = transport.transfer(HTTPRequest(.get, try server.baseURL + "large"))
            let counts = Lock(0)
            let suspended = SuspendingSubscriber.suspendedAlways(
                to: large.map { event in counts.withLock { $0 += event.size } })
            #expect(suspended.completes() == true)
            #expect(counts.withLock { $0 } == 64_000_000)
            #expect(peakMemory() - before < 16_000_000 || isSanitized, "\(peakMemory() - before)")
        }
    }
}

extension TransferEvent {
    fileprivate var isHead: Bool { if case .head = self { true } else { false } }

    fileprivate var isChunk: Bool { if case .chunk = self { true } else { false } }

    fileprivate var size: Int { if case .chunk(let data) = self { data.count } else { 0 } }
}

extension SuspendingSubscriber<TransferEvent> {
    var body: Data { Collected(events: elements).body }
}
