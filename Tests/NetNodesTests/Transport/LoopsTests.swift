import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("The loops of a transport", .countsResources, .stopsServers, .blocksThread)
struct LoopsTests {
    /// The responses to so many requests that the server has at once, and the threads that delivered them.
    private func threads(of transport: CurlTransport, requests: Int, at server: HoldingServer) throws -> Int {
        let threads = ThreadSet()
        let responses = try (0..<requests).map { transport.response(to: try server.request($0)).do(onNext: { _ in threads.addCurrent() }) }
        let all = Slot<Ended<HTTPResponse>>()
        let collected = Lock([HTTPResponse]())
        let subscription = Observable.merge(responses).subscribe(
            onNext: { response in collected.withLock { $0.append(response) } }, onError: { all.fill(Ended(error: $0)) },
            onCompleted: { all.fill(Ended(elements: collected.withLock { $0 })) })
        defer { subscription.dispose() }
        #expect(comesTrue { server.held == requests })
        server.answer()
        let ended = all.wait() ?? .late
        #expect(ended.error == nil)
        #expect(Set(ended.elements.map { String(decoding: $0.body, as: UTF8.self) }) == Set((0..<requests).map(String.init)))
        return threads.count
    }

    @Test(arguments: [1, 2, 4]) func `They share many requests that run at once`(loops: Int) throws {
        #expect(try threads(of: CurlTransport(loops: loops), requests: 60, at: HoldingServer()) == loops)
    }

    @Test func `They are one for each core by default, and at most four`() {
        #expect(CurlTransport.Configuration().loops == min(4, ProcessInfo.processInfo.activeProcessorCount))
    }

    @Test(arguments: [Int.min, -1, 0, 65, .max]) func `They are from 1 to 64 in number, or each request fails`(loops: Int) throws {
        let transport = CurlTransport(loops: loops)
        for _ in 0..<2 {
            let error = transport.response(to: HTTPRequest(.get, try "http://127.0.0.1/".url())).ended().error as? TransportError
            #expect(error == .cannotConnect(url: "http://127.0.0.1/", reason: "a transport has 1 to 64 loops, not \(loops)"))
        }
    }

    @Test func `They are one for one request at a time, on one connection, in whichever form it is asked for`() throws {
        let server = try running(.get("/a") { _ in .text("a") })
        let (transport, threads) = (CurlTransport(loops: 4), ThreadSet())
        let request = HTTPRequest(.get, try server.baseURL + "a")
        for _ in 0..<10 {
            #expect(transport.response(to: request).do(onNext: { _ in threads.addCurrent() }).ended().elements.count == 1)
            #expect(transport.transfer(request).do(onNext: { _ in threads.addCurrent() }).ended().error == nil)
        }
        #expect(threads.count == 1)
        #expect(server.counts.connectionsOpened == 1)
    }

    @Test func `They deliver the events of each transfer in order and one at a time, whichever loop has it`() throws {
        let server = try running(
            .get("/:number") { request in .generated(bytes: 1000 * (1 + (Int(request.parameters["number"] ?? "") ?? 0))) })
        let transport = CurlTransport(loops: 4)
        let all = try (0..<64).map { number in
            let isDelivering = Lock(false)
            let request = HTTPRequest(.get, try server.baseURL + "\(number)")
            return transport.transfer(request).do(onNext: { _ in
                let wasDelivering = isDelivering.withLock { isDelivering in
                    defer { isDelivering = true }
                    return isDelivering
                }
                #expect(!wasDelivering)
                isDelivering.withLock { $0 = false }
            }).reduce((number, "", 0)) { state, event in
                switch event {
                case .sent: (state.0, state.1 + "s", 0)
                case .progress: (state.0, state.1 + "p", 0)
                case .head: (state.0, state.1 + "h", 0)
                case .chunk(let data): (state.0, state.1.hasSuffix("c") ? state.1 : state.1 + "c", state.2 + data.count)
                case .end: (state.0, state.1 + "e", state.2)
                }
            }.asObservable()
        }
        let ended = Observable.merge(all).ended()
        #expect(ended.elements.count == 64)
        for (number, events, bytes) in ended.elements {
            #expect(events == "shce")
            #expect(bytes == 1000 * (1 + number))
        }
    }

    /// A request may get another loop for its next step; what is posted to the first one finds it.
    @Test func `They follow redirects from one to another, also while requests are disposed`() throws {
        let second = try running(.get("/:number") { request in .text(request.parameters["number"] ?? "") })
        let target = second.baseURL
        let first = try running(.get("/:number") { request in .redirect(to: "\(target)/\(request.parameters["number"] ?? "")") })
        var configuration = CurlTransport.Configuration()
        (configuration.loops, configuration.connectionsPerHost) = (4, 3)
        let transport = CurlTransport(configuration)
        let disposed = Lock<[any Disposable]>([])
        for number in 0..<200 {
            let request = HTTPRequest(.get, try first.baseURL + "\(number)")
            disposed.withLock { $0.append(transport.transfer(request).subscribe { _ in }) }
        }
        let responses = Observable.merge(
            try (0..<200).map { number in transport.response(to: HTTPRequest(.get, try first.baseURL + "\(number)")) })
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            for (index, subscription) in disposed.withLock({ $0 }).enumerated() where index % 2 == half { subscription.dispose() }
        }
        let bodies = responses.ended().elements.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(Set(bodies) == Set((0..<200).map(String.init)))
        #expect(comesTrue { first.counts.connectionsOpen <= 3 && second.counts.connectionsOpen <= 3 })
    }

    @Test func `They trace the connections of all of them, those of one transfer in order`() throws {
        let server = try HoldingServer()
        let threads = ThreadSet()
        let lines = Lock([CurlTransport.Trace]())
        var configuration = CurlTransport.Configuration()
        configuration.loops = 2
        configuration.trace = { line in
            threads.addCurrent()
            lines.withLock { $0.append(line) }
        }
        let transport = CurlTransport(configuration)
        #expect(try self.threads(of: transport, requests: 40, at: server) == 2)
        #expect(threads.count == 2)
        #expect(lines.withLock { $0 }.count { if case .sentHeader(let line) = $0 { line.hasPrefix("GET ") } else { false } } == 40)
    }
}
