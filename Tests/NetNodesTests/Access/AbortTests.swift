import Foundation
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// A chain is aborted at any stage, wherever `abortable(by:)` stands.
@Suite("Aborting a chain", .countsResources)
struct AbortTests {
    private let time = VirtualTimeScheduler()
    private let aborter = Aborter()
    private let sent = BehaviorRelay(value: 0)

    /// A chain to a server that gives these statuses, and does not answer after the last.
    private func chain(_ statuses: Int...) -> URLChain<Routed, Void> {
        let transport = StubTransport(transfer: { [sent] request in
            sent.update { $0 += 1 }
            let count = sent.value
            guard count <= statuses.count else { return .never() }
            return .from([
                .head(HTTPResponse.Head(status: statuses[count - 1], url: request.url)), .end(HTTPResponse.Metrics()),
            ])
        })
        return URLChain(transport: transport).route(.get, "https://example.com/teas")
    }

    private func error(of chain: URLChain<Routed, Void>, after delay: Duration = .zero) -> (any Error)? {
        let error = Lock<(any Error)?>(nil)
        let subscription = chain.data.stream().subscribe(onError: { failure in error.withLock { $0 = failure } })
        time.advance(by: delay)
        #expect(error.withLock { $0 == nil })
        aborter.abort()
        subscription.dispose()
        return error.withLock { $0 }
    }

    @Test func `While the request is sent`() {
        #expect(error(of: chain().abortable(by: aborter)) is Aborter.OperationAborted)
    }

    @Test func `While it waits for a refresh of the token`() {
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .never() }, scheduler: time) { _ in }
        #expect(error(of: chain(401).refreshingAccess(with: refresher).abortable(by: aborter)) is Aborter.OperationAborted)
        // The refresh, which others may wait for, runs until its time limit.
        time.advance(by: .seconds(31))
        #expect(sent.value == 1)
    }

    @Test(arguments: [true, false]) func `Between two attempts, and the abort is not retried`(isInside: Bool) {
        let policy = RetryPolicy.delay(.seconds(10), maxAttempts: 5)
        let (inside, outside) = (chain(503).retry(policy, scheduler: time), chain(503).abortable(by: aborter))
        let aborted = isInside ? inside.abortable(by: aborter) : outside.retry(policy, scheduler: time)
        #expect(error(of: aborted, after: .seconds(1)) is Aborter.OperationAborted)
        time.advance(by: .seconds(60))
        #expect(sent.value == 1)
    }

    @Test func `Between two attempts, with nodes by hand in the order of the page`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/ComingFromNodeKit.md")
        let rows = try String(contentsOf: page, encoding: .utf8)
        let places = try ["AborterNode", "AccessSafeNode", "RetryNode", "RequestSenderNode"].map {
            try #require(rows.range(of: "\n| `\($0)`"), "\($0)").lowerBound
        }
        #expect(places == places.sorted())

        let refusing = AnyNode<HTTPRequest, Int> { [sent] request in
            sent.update { $0 += 1 }
            return .error(HTTPError(status: 503, url: request.url))
        }
        let retrying = RetryNode(policy: .delay(.seconds(10), maxAttempts: 5), scheduler: time, next: refusing)
        let access = AccessSafeNode(refresher: TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }, next: retrying)
        let chain = AborterNode(aborter: aborter, next: access)
        let error = Lock<(any Error)?>(nil)
        let subscription = chain.stream(HTTPRequest(.get, try "http://h/".url())).subscribe(onError: { failure in
            error.withLock { $0 = failure }
        })
        time.advance(by: .seconds(1))
        #expect(error.withLock { $0 == nil })
        aborter.abort()
        #expect(error.withLock { $0 } is Aborter.OperationAborted)
        subscription.dispose()
        time.advance(by: .seconds(60))
        #expect(sent.value == 1)
    }

    @Test func `Before it starts, and the description names the step`() {
        aborter.abort()
        let aborted = chain().abortable(by: aborter)
        #expect(aborted.void.stream().ended().error is Aborter.OperationAborted)
        #expect(sent.value == 0)
        #expect(aborted.description.hasPrefix("abortable > "))
    }
}
