import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Pages", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct PagerTests {
    struct Failed: Error {}

    /// A server with so many items, by position and by cursor; the calls with these numbers fail.
    private func serving(_ total: Int, failing: Set<Int> = []) throws -> LoopbackServer {
        let calls = Counter()
        let server = try running(
            .get("/items") { request in
                calls.increment()
                guard !failing.contains(calls.value) else { return .empty(500) }
                let first = request.query("offset").flatMap { Int($0) } ?? 0
                let count = request.query("limit").flatMap { Int($0) } ?? 0
                return .json(Array(first..<max(first, min(total, first + count))))
            },
            .get("/linked") { request in
                let number = request.query("cursor").flatMap { Int($0) } ?? 0
                return .json(Linked(items: [number], next: number < 2 ? "\(number + 1)" : nil))
            })
        return server
    }

    struct Linked: Codable, Sendable, Equatable {
        var items: [Int]
        var next: String?
    }

    private func chain(_ server: LoopbackServer, _ path: String = "items") throws -> URLChain<Routed, Void> {
        URLChain(transport: CurlTransport()).route(.get, try server.baseURL + path).query(["kind": "tea"])
    }

    @Test(
        arguments: [
            (0, [[]]), (3, [[0, 1, 2]]), (10, [Array(0..<4), Array(4..<8), [8, 9]]), (8, [Array(0..<4), Array(4..<8), []]),
        ])
    func `Pages come until one is short or empty`(total: Int, pages: [[Int]]) throws {
        let server = try serving(total)
        #expect(try chain(server).pages([Int].self, .offset(size: 4)).stream().ended().elements == pages)
        #expect(server.recordedRequests.count == pages.count)
        #expect(server.recordedRequests.allSatisfy { $0.query("kind") == "tea" && $0.query("limit") == "4" })
    }

    @Test func `Pages are emitted until one has no cursor`() throws {
        let server = try serving(0)
        let pages = try chain(server, "linked").pages(Linked.self, .cursor { $0.next })
        #expect(pages.stream().ended().elements.map(\.items) == [[0], [1], [2]])
        #expect(pages.stream().ended().elements.map(\.items) == [[0], [1], [2]])
        #expect(server.recordedRequests.map { $0.query("cursor") } == [nil, "1", "2", nil, "1", "2"])
    }

    @Test func `After a disposal no further page is requested`() throws {
        let server = try serving(1_000)
        let pages = try chain(server).pages([Int].self, .number("offset", from: 0, limit: "limit", size: 4))
        #expect(pages.stream().take(2).ended().elements.count == 2)
        #expect(server.recordedRequests.count == 2)
    }

    @Test func `The next page is requested only on demand, and earlier demand is ignored`() throws {
        let demand = PublishSubject<Void>()
        let arrivals = PublishSubject<Int>()
        let asked = Counter()
        let pages = Observable.pages(from: 0, wanted: demand.asObservable()) { page, cursor in
            page < 2 ? cursor + 1 : nil
        } page: { cursor in
            asked.increment()
            return arrivals.map { _ in cursor }.take(1)
        }
        let seen = Lock([Event<Int>]())
        let subscription = pages.subscribe { event in seen.withLock { $0.append(event) } }
        for number in 1...3 {
            demand.onNext(())
            #expect(asked.value == number)
            arrivals.onNext(number)
            #expect(asked.value == number)
            demand.onNext(())
        }
        #expect(seen.withLock { $0.map(\.element) } == [0, 1, 2, nil])
        subscription.dispose()
    }

    @Test func `The completion of the demand completes the pages, its error fails them, and an empty page stream completes them`() {
        let once = Observable.pages(from: 0, wanted: Observable<Void>.empty()) { _, cursor in
            cursor + 1
        } page: {
            Observable.just($0)
        }
        #expect(once.ended().elements == [0])
        let failing = Observable.pages(from: 0, wanted: Observable<Void>.error(Failed())) { _, cursor in
            cursor + 1
        } page: {
            Observable.just($0)
        }
        #expect(failing.ended().error is Failed)
        let empty = Observable<Int>.pages(from: 0) { _, cursor in
            cursor + 1
        } page: {
            $0 < 3 ? .just($0) : .empty()
        }
        #expect(empty.ended().elements == [0, 1, 2])
    }

    @Test func `A failed page is requested again with its cursor`() throws {
        let server = try serving(6, failing: [2, 3])
        let failures = Counter()
        let pages = try chain(server).pages(
            [Int].self, .offset(size: 4),
            onFailure: { error in
                failures.increment()
                return error is HTTPError ? .just(()) : .error(error)
            })
        #expect(pages.stream().ended().elements == [Array(0..<4), [4, 5]])
        #expect(failures.value == 2)
        #expect(server.recordedRequests.map { $0.query("offset") } == ["0", "4", "4", "4"])
    }

    @Test func `A failure that is not retried fails the pages`() throws {
        let server = try serving(6, failing: [2])
        let result = try chain(server).pages([Int].self, .offset(size: 4)).stream().ended()
        #expect(result.elements == [Array(0..<4)])
        #expect(result.error is HTTPError)
        let silent = Observable<Int>.pages(from: 0, onFailure: { _ in .empty() }) { _, _ in
            nil
        } page: { _ in
            .error(Failed())
        }
        #expect(silent.ended().error is Failed)
    }

    @Test func `Twenty thousand synchronous pages do not grow the stack`() {
        let pages = Observable.pages(from: 0) { _, cursor in
            cursor < 19_999 ? cursor + 1 : nil
        } page: {
            Observable.just($0)
        }
        #expect(pages.ended().elements.count == 20_000)
    }
}
