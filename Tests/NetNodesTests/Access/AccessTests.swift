import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Access", .countsResources, .stopsServers, .blocksThread)
struct AccessTests {
    @Test func `A request with an expired token is repeated with a new one`() throws {
        let service = try AccessService()
        #expect(service.me.stream().ended().elements == [Data("me".utf8)])
        service.gate.expire()
        #expect(service.me.stream().ended().elements == [Data("me".utf8)])
        #expect(service.gate.counts.refreshes == 1)
    }

    @Test func `A failed refresh fails all waiting requests`() throws {
        let service = try AccessService()
        service.gate.expire()
        service.gate.failRefreshes(with: 500)
        let results = Observable.merge((0..<5).map { _ in service.me.stream().convertedError() }).ended()
        #expect(results.elements == Array(repeating: 500, count: 5))
    }

    @Test func `Disposing a waiting request affects no other, and the token is kept when all are disposed`() throws {
        let service = try AccessService(delay: .milliseconds(200))
        service.gate.expire()
        let refused = service.server.arrival(at: "/token/refresh")
        let subscription = service.me.stream().subscribe { _ in }
        #expect(refused.wait() == true)
        subscription.dispose()
        #expect(service.me.stream().ended().elements == [Data("me".utf8)])
        #expect(service.gate.counts.refreshes == 1)
    }

    @Test func `A refresh that waits for itself, never terminates or yields nothing is a typed error`() throws {
        let refused = AnyNode<Void, Int> { .error(HTTPError.refusal) }
        let silent = TokenRefresherNode(chain: AnyNode<Void, Int> { .never() }, timeout: .milliseconds(50)) { _ in }
        #expect(
            refused.stream().refreshing(with: silent).ended().error as? TokenRefresherNode.Failure
                == .refreshTimedOut(after: .milliseconds(50)))
        let empty = TokenRefresherNode(chain: AnyNode<Void, Int> { .empty() }) { _ in }
        #expect(refused.stream().refreshing(with: empty).ended().error as? TokenRefresherNode.Failure == .refreshYieldedNothing)
        let knot = BehaviorRelay<TokenRefresherNode?>(value: nil)
        let circular = TokenRefresherNode(
            chain: AnyNode<Void, Int> { knot.value.map { Observable.just(1).refreshing(with: $0) } ?? .empty() }
        ) { _ in }
        knot.accept(circular)
        #expect(refused.stream().refreshing(with: circular).ended().error as? TokenRefresherNode.Failure == .refreshWaitsForItself)
        knot.accept(nil)
    }

    @Test func `A second rejection is forwarded`() {
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }
        let stream = AnyNode<Void, Int> { .error(HTTPError.refusal) }.stream().refreshing(with: refresher)
        #expect(stream.ended().error as? HTTPError == HTTPError.refusal)
    }
}

extension HTTPError {
    fileprivate static let refusal = HTTPError.unauthorized(
        Failure(response: HTTPResponse(head: HTTPResponse.Head(status: 401, url: URL(filePath: "/")))))
}
