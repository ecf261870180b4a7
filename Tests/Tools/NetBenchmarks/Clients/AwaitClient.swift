import Foundation
import NetNodes

/// The whole chain, awaited by as many tasks as ask at once.
struct AwaitClient: Client {
    let name: String
    let onlyAtOnce: Int?
    private let quotes: AnyNode<Void, Quote>

    /// - Parameter loops: the number of loops, to compare them 64 at once; by default as many as a transport has.
    init(url: URL, loops: Int? = nil) {
        var configuration = CurlTransport.Configuration()
        if let loops { configuration.loops = loops }
        name = loops.map { "loops: \($0)" } ?? "await"
        onlyAtOnce = loops.map { _ in 64 }
        quotes = URLChain(transport: CurlTransport(configuration)).route(.get, url).decoder { JSONDecoder() }.output(Quote.self)
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
