import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Access is refreshed, and a transient status retried, whatever the output of a chain is.
@Suite("Refresh and retry for each output", .countsResources)
struct OutputIndependenceTests {
    private struct Own: Error, Equatable { var status: Int }

    private static let now = ImmediateScheduler.instance

    private let sent = BehaviorRelay(value: 0)

    /// A chain to a server that gives these statuses, the last one from then on.
    private func chain(_ statuses: Int...) -> URLChain<Routed, Void> {
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }
        let transport = StubTransport { [sent] request in
            sent.update { $0 += 1 }
            let count = sent.value
            return .text("7", status: statuses[min(count, statuses.count) - 1], to: request)
        }
        return URLChain(transport: transport).route(.get, "https://example.com/teas").refreshingAccess(with: refresher)
            .retry(.transient(initial: .zero, jitter: 0), scheduler: Self.now)
    }

    @Test(arguments: [[401, 200], [503, 200], [401, 503, 503, 200]]) func `Of the response itself`(statuses: [Int]) {
        let response = chain(statuses[0], statuses[1], statuses.last ?? 0, statuses.last ?? 0).response.stream().ended()
        #expect(response.elements.map(\.status) == [200])
        #expect(response.elements.first?.body == Data("7".utf8))
    }

    @Test(arguments: [(401, 2), (503, 3), (404, 1)]) func `The last response is emitted as it is`(status: Int, attempts: Int) {
        let response = chain(status).response.stream().ended()
        #expect(response.elements.map(\.status) == [status])
        #expect(response.elements.first?.body == Data("7".utf8))
        #expect(sent.value == attempts)
    }

    @Test(arguments: [(401, 2), (503, 3), (404, 1)]) func `Of a chain with errors of its own`(status: Int, attempts: Int) {
        let own: @Sendable (HTTPResponse) -> (any Error)? = { $0.status < 400 ? nil : Own(status: $0.status) }
        #expect(chain(status).httpErrors(own).data.stream().ended().error as? Own == Own(status: status))
        #expect(sent.value == attempts)
        #expect(chain(200).httpErrors(own).data.stream().ended().error == nil)
        #expect(chain(404).httpErrors(own).lines(Int.self).stream().ended().error as? Own == Own(status: 404))
        #expect(chain(404).httpErrors { _ in nil }.output(Int.self).stream().ended().elements == [7])
    }

    @Test func `An own error of a successful response is made once for each attempt`() {
        let made = Lock([Int]())
        let chain = chain(503, 200).httpErrors { response in
            made.withLock { $0.append(response.status) }
            return Own(status: response.status)
        }
        #expect(chain.void.stream().ended().error as? Own == Own(status: 200))
        #expect(made.withLock { $0 } == [200])
    }

    @Test func `Of what is read while it is received`() {
        #expect(chain(401, 503, 200).lines(Int.self).stream().ended().elements == [7])
        #expect(sent.value == 3)
    }
}
