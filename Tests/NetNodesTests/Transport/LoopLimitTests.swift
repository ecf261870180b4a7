import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// The limits of a transport hold for all its loops together, and what waits is taken by any of them.
@Suite("Limits over several loops", .countsResources, .stopsServers, .blocksThread)
struct LoopLimitTests {
    private func transport(loops: Int = 4, perHost: Int = 64, total: Int = 512, idle: Int = 256) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.loops = loops
        (configuration.connectionsPerHost, configuration.connections, configuration.idleConnections) = (perHost, total, idle)
        return CurlTransport(configuration)
    }

    /// Filled when all responses have come, with their bodies; streamed and collected ones in turns.
    private func bodies(of requests: [HTTPRequest], on transport: CurlTransport) -> (Slot<[String]>, any Disposable) {
        let bodies = Lock([String]())
        let all = Slot<[String]>()
        let responses = requests.enumerated().map { index, request in
            index % 2 == 0 ? transport.response(to: request) : transport.transfer(request).response()
        }
        let subscription = Observable.merge(responses).subscribe(
            onNext: { response in bodies.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) } },
            onError: { error in all.fill(["\(error)"]) }, onCompleted: { all.fill(bodies.withLock { $0 }) })
        return (all, subscription)
    }

    @Test(arguments: [1, 2, 3, 5, 40])
    func `A host gets as many connections as it may have, and each waiting request one`(limit: Int) throws {
        let server = try HoldingServer()
        let transport = transport(perHost: limit)
        let (all, subscription) = bodies(of: try (0..<100).map { try server.request($0) }, on: transport)
        #expect(comesTrue { server.held == limit })
        server.answer()
        #expect(Set(all.wait() ?? []) == Set((0..<100).map(String.init)))
        #expect(server.mostHeld == limit)
        if limit < 8 { #expect(server.server.counts.connectionsOpened == limit) }
        subscription.dispose()
    }

    @Test(arguments: [1, 2, 3, 7]) func `All hosts together get as many as the transport may have`(limit: Int) throws {
        let servers = try (0..<5).map { _ in try HoldingServer() }
        let transport = transport(total: limit)
        let requests = try (0..<20).flatMap { number in try servers.map { try $0.request(number) } }
        let (all, subscription) = bodies(of: requests, on: transport)
        #expect(comesTrue { servers.reduce(0) { $0 + $1.held } == limit })
        #expect(servers.reduce(0) { $0 + $1.server.counts.connectionsOpen } == limit)
        for server in servers { server.answer() }
        #expect(all.wait()?.count == 100)
        #expect(comesTrue { servers.reduce(0) { $0 + $1.server.counts.connectionsOpen } <= limit })
        subscription.dispose()
    }

    @Test func `Waiting requests to a host are sent in the order in which they came`() throws {
        let server = try HoldingServer()
        let transport = transport(perHost: 1)
        let (all, subscription) = bodies(of: try (0..<30).map { try server.request($0) }, on: transport)
        server.answer()
        #expect(all.wait() == (0..<30).map(String.init))
        #expect(server.order == (0..<30).map(String.init))
        subscription.dispose()
    }

    @Test(arguments: ["collected", "streamed"])
    func `A waiting request is taken by the loop whose connection is free`(first: String) throws {
        let server = try HoldingServer()
        let transport = transport(loops: 2, perHost: 2)
        let others = ThreadSet()
        // Each of the two has a loop, and the waiting ones would prefer that of the collected one.
        let collected = transport.response(to: try server.request("collected")).do(onNext: { _ in
            if first == "collected" { others.addCurrent() }
        }).subscribe { _ in }
        let streamed = transport.transfer(try server.request("streamed")).do(onNext: { event in
            if first == "streamed", case .head = event { others.addCurrent() }
        }).subscribe { _ in }
        #expect(comesTrue { server.held == 2 })
        let response = Observable.merge(try (0..<10).map { number in transport.response(to: try server.request(number)) })
        let ended = Slot<Int>()
        let waiting = response.do(onNext: { _ in others.addCurrent() }).reduce(0) { count, _ in count + 1 }
            .subscribe(onNext: { ended.fill($0) })
        for number in 0..<10 { server.answer("\(number)") }
        server.answer(first)
        #expect(ended.wait() == 10)
        #expect(others.count == 1)
        for subscription in [collected, streamed, waiting] { subscription.dispose() }
    }

    @Test func `A waiting request can be disposed, and fails when its time is over`() throws {
        let server = try HoldingServer()
        let transport = transport(perHost: 1)
        let running = transport.response(to: try server.request("running")).subscribe { _ in }
        #expect(comesTrue { server.held == 1 })
        let disposed = try (0..<10).map { transport.response(to: try server.request($0)).subscribe { _ in Issue.record("an event") } }
        var late = try server.request("late")
        late.timeouts.total = .milliseconds(50)
        guard case .timedOut(.total, _, _)? = transport.response(to: late).ended().error as? TransportError else {
            Issue.record("not timed out")
            return
        }
        for subscription in disposed { subscription.dispose() }
        let (all, last) = bodies(of: [try server.request("last")], on: transport)
        server.answer()
        #expect(all.wait() == ["last"])
        #expect(server.order == ["running", "last"])
        running.dispose()
        last.dispose()
    }

    @Test func `A request that cannot be sent does not wait`() throws {
        let server = try HoldingServer()
        let transport = transport(perHost: 1)
        let running = transport.response(to: try server.request("running")).subscribe { _ in }
        #expect(comesTrue { server.held == 1 })
        var invalid = try server.request("a")
        invalid.headers["X"] = "a\r\nb"
        #expect(transport.response(to: invalid).ended().error is TransportError)
        running.dispose()
    }

    @Test(arguments: [1, 4, 8]) func `Idle connections are kept up to their limit`(limit: Int) throws {
        let server = try HoldingServer()
        let transport = transport(idle: limit)
        let (all, subscription) = bodies(of: try (0..<40).map { try server.request($0) }, on: transport)
        #expect(comesTrue { server.held == 40 })
        server.answer()
        #expect(all.wait()?.count == 40)
        #expect(transport.response(to: try server.request("next")).ended().error == nil)
        #expect(comesTrue { server.server.counts.connectionsOpen <= limit + 4 })
        subscription.dispose()
    }

    /// Until the first response, it is not known that the server does not speak HTTP/2, and one loop gets all connections.
    @Test(.enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"))
    func `A loop with all connections to a host gives some up for one with less work`() throws {
        let server = try SecureNginx(http2: false)
        defer { server.stop() }
        let transport = CurlTransport(trusting: server.certificate.path, loops: 2)
        let request = HTTPRequest(.get, try "\(server.base)/person.json".url())
        let threads = ThreadSet()
        let response = transport.response(to: request).do(onNext: { _ in threads.addCurrent() })
        let usesBoth = comesTrue {
            #expect(Observable.merge((0..<80).map { _ in response }).ended().elements.count == 80)
            return threads.count == 2
        }
        #expect(usesBoth)
    }
}
