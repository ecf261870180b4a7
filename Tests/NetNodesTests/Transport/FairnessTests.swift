import Foundation
import LoopbackServer
import Testing

@testable import NetNodes

/// In one loop: requests in another one do not even share the thread.
@Suite("Requests beside a long body", .countsResources, .stopsServers, .blocksThread)
struct FairnessTests {
    /// One request, whose answer is sent while the thread of the transport is busy with the long body.
    private struct Exchange: Sendable {
        let arrived = Slot<Bool>()
        let mayAnswer = Slot<Bool>()
        let answered = Slot<Bool>()
    }

    @Test func `A body without end lets an answer that has arrived pass after two megabytes at most`() throws {
        let exchanges = (0..<20).map { _ in Exchange() }
        let begun = Counter()
        let small = try ScriptedServer.answering { connection, _ in
            let exchange = exchanges[begun.increment() - 1]
            exchange.arrived.fill(true)
            _ = exchange.mayAnswer.wait()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            _ = connection.waitForArrival()
            exchange.answered.fill(true)
        }
        let endless = try EagerServer.responding(with: [UInt8](repeating: 0x61, count: 1_000_000), times: 1_000_000)
        let transport = CurlTransport(loops: 1)
        let read = Lock(0)
        let current = Lock(0)
        let body = transport.transfer(HTTPRequest(.get, endless.server.url())).subscribe(onNext: { event in
            guard case .chunk(let data) = event else { return }
            let exchange = exchanges[current.withLock { $0 }]
            guard exchange.answered.wait(0) == nil, exchange.arrived.wait(0) != nil else { return read.withLock { $0 += data.count } }
            exchange.mayAnswer.fill(true)
            _ = exchange.answered.wait()
            read.withLock { $0 = 0 }
        })
        for index in exchanges.indices {
            current.withLock { $0 = index }
            let between = transport.response(to: HTTPRequest(.get, small.url())).map { _ in read.withLock { $0 } }.ended().elements
            #expect(between.count == 1)
            #expect(between.allSatisfy { $0 < 2_000_000 }, "\(between)")
        }
        body.dispose()
    }

    @Test func `A disk that is slow delays no other request`() throws {
        let server = try running(.get("/large") { _ in .generated(bytes: 5_000_000) }, .get("/small") { _ in .text("ok") })
        let transport = CurlTransport(loops: 1)
        let (isWriting, mayWrite, count) = (Slot<Bool>(), Slot<Bool>(), Slot<Int>())
        let written = transport.transfer(HTTPRequest(.get, try server.baseURL + "large")).written { event -> Int? in
            guard case .chunk(let data) = event else { return nil }
            isWriting.fill(true)
            #expect(mayWrite.wait(60) == true)
            return data.count
        }
        let download = written.reduce(0, accumulator: +).subscribe(onNext: { count.fill($0) })
        #expect(isWriting.wait() == true)
        #expect(transport.response(to: HTTPRequest(.get, try server.baseURL + "small")).ended().elements.map(\.body) == [Data("ok".utf8)])
        mayWrite.fill(true)
        #expect(count.wait() == 5_000_000)
        download.dispose()
    }

    @Test func `A chunk has at most 64 KB, and bodies that arrive fast come in such ones`() throws {
        let server = try running(.get("/large") { _ in .generated(bytes: 20_000_000) })
        let request = HTTPRequest(.get, try server.baseURL + "large")
        let chunks = collect(request, on: CurlTransport()).events.compactMap { if case .chunk(let data) = $0 { data.count } else { nil } }
        #expect(chunks.reduce(0, +) == 20_000_000)
        #expect(chunks.allSatisfy { $0 <= 64 * 1024 })
        #expect(chunks.contains { $0 > 16 * 1024 })
    }
}
