import Foundation
import NetNodes
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession` with completion handlers.
struct SessionClient: Client {
    let name = "URLSession"
    private let url: URL
    private let session: URLSession

    init(url: URL) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration)
    }

    func run(_ count: Int, atOnce: Int) throws {
        let run = Run(count: count, session: session, url: url)
        for _ in 0..<atOnce { run.next() }
        run.done.wait()
        try run.outcome.check(count, name)
    }

    /// Each answer starts the next request, until enough were started.
    private final class Run: Sendable {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        private let session: URLSession
        private let url: URL
        private let left: Mutex<(toStart: Int, toEnd: Int)>

        init(count: Int, session: URLSession, url: URL) {
            left = Mutex((count, count))
            self.session = session
            self.url = url
        }

        func next() {
            let starts = left.withLock { left in
                left.toStart -= 1
                return left.toStart >= 0
            }
            guard starts else { return }
            session.dataTask(with: url) { [self] data, _, error in
                do {
                    guard let data else { throw error ?? URLError(.unknown) }
                    outcome.add(try JSONDecoder().decode(Quote.self, from: data))
                } catch {
                    outcome.fail(error.localizedDescription)
                }
                next()
                if left.withLock({ left in
                    left.toEnd -= 1
                    return left.toEnd == 0
                }) {
                    done.signal()
                }
            }.resume()
        }
    }
}
