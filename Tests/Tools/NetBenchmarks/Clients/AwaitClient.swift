import Foundation
import NetNodes

/// The whole chain, awaited by as many tasks as ask at once.
struct AwaitClient: Client {
    let name = "await"
    private let quotes: AnyNode<Void, Quote>

    init(url: URL) {
        quotes = URLChain(transport: CurlTransport()).route(.get, url).decoder { JSONDecoder() }.output(Quote.self)
    }

    func run(_ count: Int, atOnce: Int) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        for number in 0..<atOnce {
            Task {
                for _ in stride(from: number, to: count, by: atOnce) {
                    do { outcome.add(try await quotes.stream().firstElement()) } catch { outcome.fail(error.localizedDescription) }
                }
                done.signal()
            }
        }
        for _ in 0..<atOnce { done.wait() }
        try outcome.check(count, name)
    }
}
