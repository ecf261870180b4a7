import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// Each in a process of its own, whose memory and CPU nobody else uses.
@Suite("Endurance", .onOneThread, .countsResources, .stopsServers)
struct EnduranceTests {
    @Test(.startsChild) func `Three thousand consecutive requests all succeed, and memory is constant after the first thousand`() async {
        await #expect(processExitsWith: .success) {
            let server = try quietServer()
            let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "a").output(Person.self)
            func ask(_ count: Int) -> Int {
                Observable.from((0..<count).map { _ in chain.stream() }).concat().ended(within: 600).elements.count
            }
            #expect(ask(1_000) == 1_000)
            let growth = leastGrowth(below: 1 << 20) { #expect(ask(3_000) == 3_000) }
            #expect(growth < 1 << 20 || isSanitized, "memory grew by \(growth) bytes")
            #expect(server.counts.connectionsOpened == 1)
        }
    }

    @Test(.startsChild) func `Three times a thousand concurrent requests all succeed, and memory is constant after the first`() async {
        await #expect(processExitsWith: .success) {
            let server = try quietServer()
            let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "a").output(Person.self)
            func ask() -> Int { Observable.merge((0..<1_000).map { _ in chain.stream() }).ended(within: 600).elements.count }
            for _ in 0..<3 { #expect(ask() == 1_000) }
            let growth = leastGrowth(below: 2 << 20) { for _ in 0..<3 { #expect(ask() == 1_000) } }
            #expect(growth < 2 << 20 || isSanitized, "memory grew by \(growth) bytes")
            #expect(server.counts.connectionsOpened <= 64)
        }
    }

    @Test(.startsChild) func `While 64 requests wait no thread wakes up, and all succeed`() async {
        await #expect(processExitsWith: .success) {
            let answer = ReplaySubject<LoopbackServer.Response>(bufferSize: 1)  // also for a request whose handler subscribes later
            let server = try running(.stream("GET", "/a") { _ in answer.take(1) })
            let arrived = Slot<Bool>()
            let arrivals = server.requests.subscribe { event in if event.element?.number == 64 { arrived.fill(true) } }
            let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "a").output(Person.self)
            let done = Slot<Int>()
            let all = Observable.merge((0..<64).map { _ in chain.stream() }).toArray().asObservable()
            let subscription = all.subscribe { event in if let element = event.element { done.fill(element.count) } }
            #expect(arrived.wait() == true)
            let isAtRest = try isSanitized || SleepingThreads.comeToRest()
            #expect(isAtRest)
            answer.onNext(.json(text: Person.text))
            #expect(done.wait() == 64)
            [arrivals, subscription].forEach { $0.dispose() }
        }
    }
}

/// A server that remembers next to nothing.
private func quietServer() throws -> LoopbackServer {
    var limits = LoopbackServer.Limits()
    limits.recordedRequests = 10
    let server = LoopbackServer(limits: limits, .get("/a") { _ in .json(text: Person.text) })
    try server.start()
    return server
}

/// The memory of this process that is in use.
private func residentBytes() -> Int {
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").compactMap { Int($0) } ?? []
    return (numbers.count > 1 ? numbers[1] : 0) * Int(getpagesize())
}

/// How much more memory the process has after `work`: the least of at most three times, for what leaks does so each time.
private func leastGrowth(below limit: Int, _ work: () -> Void) -> Int {
    var least = Int.max
    for _ in 0..<3 where least >= limit && !(isSanitized && least < .max) {
        let before = residentBytes()
        work()
        least = min(least, residentBytes() - before)
    }
    return least
}
