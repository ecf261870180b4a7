import Foundation
import NetNodes
import Synchronization

/// The whole chain: from the route to the decoded value.
struct ChainClient: Client {
    let name = "chain"
    private let quotes: AnyNode<Void, Quote>

    init(url: URL, transport: CurlTransport = CurlTransport()) {
        quotes = URLChain(transport: transport).route(.get, url).decoder { JSONDecoder() }.output(Quote.self)
    }

    func run(_ count: Int, atOnce: Int) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        let subscription = Observable.range(start: 0, count: count).map { _ in () }.through(quotes, .merge(max: atOnce))
            .subscribe(
                onNext: { outcome.add($0) },
                onError: { error in
                    outcome.fail(error.localizedDescription)
                    done.signal()
                },
                onCompleted: { done.signal() })
        done.wait()
        subscription.dispose()
        try outcome.check(count, name)
    }
}

/// The result of a run, counted in the callbacks that receive the responses.
final class Outcome: Sendable {
    private let state = Mutex((right: 0, failure: String?.none))

    func add(_ quote: Quote) {
        guard quote == .expected else { return fail("\(quote)") }
        state.withLock { $0.right += 1 }
    }

    func fail(_ text: String) {
        state.withLock { $0.failure = $0.failure ?? text }
    }

    func check(_ count: Int, _ client: String) throws {
        let (right, failure) = state.withLock { $0 }
        if let failure { throw LostAnswer(client: client, text: failure) }
        guard right == count else { throw LostAnswer(client: client, text: "\(right) of \(count) came") }
    }
}
