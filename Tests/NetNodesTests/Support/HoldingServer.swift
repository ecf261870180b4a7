import Foundation
import LoopbackServer

@testable import NetNodes

/// A server whose answers wait until the test releases them, and which knows how many requests it has at once.
final class HoldingServer: Sendable {
    let server: LoopbackServer
    /// The names of the requests that may be answered; `nil` means all.
    private let released = BehaviorRelay<Set<String>?>(value: [])
    private let load: Load

    private final class Load: Sendable {
        let state = Lock((now: 0, most: 0, order: [String]()))

        func enter(_ name: String) {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
                state.order.append(name)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }

    init() throws {
        let load = Load()
        self.load = load
        server = try running(
            .stream("GET", "/:name") { [released] request in
                let name = request.parameters["name"] ?? ""
                load.enter(name)
                return released.filter { $0?.contains(name) != false }.take(1).map { _ in
                    load.leave()
                    return .text(name)
                }
            })
    }

    func request(_ name: some CustomStringConvertible) throws -> HTTPRequest {
        HTTPRequest(.get, try server.baseURL + "\(name)", timeouts: HTTPRequest.Timeouts(connect: nil, idle: nil))
    }

    /// The number of requests that wait for their answers.
    var held: Int { load.state.withLock { $0.now } }

    /// The highest number so far.
    var mostHeld: Int { load.state.withLock { $0.most } }

    /// The names in the order of arrival.
    var order: [String] { load.state.withLock { $0.order } }

    /// Answers the requests that wait, and later ones at once.
    func answer() { released.accept(nil) }

    /// Answers the request with a name.
    func answer(_ name: String) { released.accept(released.value?.union([name])) }
}

/// The threads on which something was called, while all of them exist.
final class ThreadSet: Sendable {
    private let threads = Lock<Set<UInt>>([])

    var count: Int { threads.withLock { $0.count } }

    func addCurrent() {
        #if os(Linux)
            let thread = UInt(pthread_self())
        #else
            let thread = UInt(bitPattern: pthread_self())
        #endif
        threads.withLock { _ = $0.insert(thread) }
    }
}
