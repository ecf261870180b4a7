import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// However transfers and transports end, nothing is left in any loop.
@Suite("The end of several loops", .countsResources, .stopsServers, .blocksThread)
struct LoopEndTests {
    private func transport(perHost: Int = 64) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        (configuration.loops, configuration.connectionsPerHost) = (4, perHost)
        return CurlTransport(configuration)
    }

    /// The outcomes of so many requests, half of them streamed, when all have ended.
    private func outcomes(_ count: Int, at server: HoldingServer, on transport: CurlTransport) throws -> Slot<[String]> {
        let outcomes = Lock([String]())
        let all = Slot<[String]>()
        let requests = try (0..<count).map { number in
            let request = try server.request(number)
            let response = number % 2 == 0 ? transport.response(to: request) : transport.transfer(request).response()
            return response.map { String(decoding: $0.body, as: UTF8.self) }.catch { error in
                if case TransportError.connectionLost(_, let reason) = error { .just(reason) } else { .just("\(error)") }
            }
        }
        _ = Observable.merge(requests).subscribe(
            onNext: { outcome in outcomes.withLock { $0.append(outcome) } }, onCompleted: { all.fill(outcomes.withLock { $0 }) })
        return all
    }

    @Test(arguments: [3, 64]) func `A shutdown lets running and waiting requests end in all loops`(perHost: Int) throws {
        let server = try HoldingServer()
        let transport = transport(perHost: perHost)
        let all = try outcomes(40, at: server, on: transport)
        #expect(comesTrue { server.held == min(40, perHost) })
        let other = try running(.get("/") { _ in .text("") })
        let ended = transport.beginShutDown(within: .seconds(300))
        #expect(comesTrue { transport.response(to: HTTPRequest(.get, other.baseURL)).ended().error != nil })
        #expect(ended.wait(0) == nil)
        server.answer()
        #expect(Set(all.wait() ?? []) == Set((0..<40).map(String.init)))
        #expect(ended.wait() == true)
        #expect(comesTrue { server.server.counts.connectionsOpen == 0 })
    }

    @Test(arguments: [3, 64]) func `A shutdown ends running and waiting requests in all loops when its time is over`(perHost: Int) throws {
        let server = try HoldingServer()
        let transport = transport(perHost: perHost)
        let all = try outcomes(40, at: server, on: transport)
        #expect(comesTrue { server.held == min(40, perHost) })
        #expect(transport.beginShutDown(within: .milliseconds(10)).wait() == true)
        #expect(all.wait() == Array(repeating: "the transport was shut down", count: 40))
        #expect(comesTrue { server.server.counts.connectionsOpen == 0 })
        let refused = transport.response(to: try server.request("a")).ended().error as? TransportError
        #expect(refused == .cannotConnect(url: "\(server.server.baseURL)/a", reason: "the transport was shut down"))
    }

    @Test func `Transfers that other threads dispose at any stage give their places back`() throws {
        let server = try running(.get("/:number") { _ in .generated(bytes: 200_000) })
        let base = server.baseURL
        expectNothingLeft(within: .seconds(300)) {
            let transport = transport(perHost: 5)
            for round in 0..<10 {
                let begun = Counter()
                let subscriptions = (0..<60).map { number in
                    transport.transfer(HTTPRequest(.get, (try? "\(base)/\(number)".url()) ?? URL(filePath: "/"))).subscribe { _ in
                        begun.increment()
                    }
                }
                if round % 2 == 0 { _ = comesTrue { begun.value > round } }
                DispatchQueue.concurrentPerform(iterations: 3) { part in
                    for index in stride(from: part, to: subscriptions.count, by: 3) { subscriptions[index].dispose() }
                }
            }
            let url = (try? "\(base)/last".url()) ?? URL(filePath: "/")
            let last = Observable.merge((0..<20).map { _ in transport.response(to: HTTPRequest(.get, url)) }).ended()
            #expect(last.elements.map(\.body.count) == Array(repeating: 200_000, count: 20))
        }
        #expect(comesTrue { server.counts.connectionsOpen == 0 })
    }

    @Test func `A transport that is gone leaves neither a connection nor an object, whichever loops it had`() throws {
        let server = try HoldingServer()
        try expectNothingLeft(within: .seconds(300)) {
            let all = try outcomes(40, at: server, on: transport())
            #expect(comesTrue { server.held == 40 })
            server.answer()
            #expect(all.wait()?.count == 40)
        }
        #expect(comesTrue { server.server.counts.connectionsOpen == 0 })
    }

    #if os(Linux)
        /// In a process of its own, whose threads and descriptors are counted.
        @Test(.startsChild, .enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"))
        func `One thread watches all loops over TLS, and after a shutdown no thread or descriptor is left`() async {
            await #expect(processExitsWith: .success) {
                OpenDescriptors.prepareDispatch()
                let server = try SecureNginx(http2: false)
                defer { server.stop() }
                let before = try OpenDescriptors.count()
                let transport = CurlTransport(trusting: server.certificate.path, loops: 4)
                let request = HTTPRequest(.get, try "\(server.base)/person.json".url())
                let usesAllLoops = comesTrue {
                    _ = Observable.merge((0..<100).map { _ in transport.response(to: request) }).ended()
                    return threads(named: "NetNodes.Loop") == 4
                }
                #expect(usesAllLoops)
                #expect(threads(named: "NetNodes.Watch") == 1)
                await transport.shutDown(within: .seconds(300))
                #expect(comesTrue { threads(named: "NetNodes.") == 0 })
                #expect(try OpenDescriptors.count() == before)
            }
        }
    #endif
}

#if os(Linux)
    /// The number of threads of this process whose name begins so.
    private func threads(named prefix: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { ((try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? "").hasPrefix(prefix) }
    }
#endif
