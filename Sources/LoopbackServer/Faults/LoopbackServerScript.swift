import Streams

extension LoopbackServer {
    /// Responses in a fixed order, one for each call.
    ///
    ///     LoopbackServer.Route.script("GET", "/jobs", LoopbackServer.Script([.empty(503), .empty(503), .text("done")]))
    public final class Script: Sendable {
        private let responses: [Response]
        private let ending: ScriptEnding
        private let calls = Lock(0)

        /// Creates a script; one without responses fails at each call.
        public init(_ responses: [Response], then ending: ScriptEnding = .repeatsLast) {
            self.responses = responses
            self.ending = ending
        }

        /// The number of calls so far.
        public var callCount: Int { calls.withLock { $0 } }

        /// Returns the response for this call.
        public func next() -> Response {
            let call = calls.withLock { calls in
                defer { calls += 1 }
                return calls
            }
            if call < responses.count { return responses[call] }
            switch ending {
            case .repeatsLast: return responses.last ?? exhausted
            case .repeatsAll: return responses.isEmpty ? exhausted : responses[call % responses.count]
            case .fails: return exhausted
            }
        }

        private var exhausted: Response { .text("The script has only \(responses.count) responses.\n", status: 500) }
    }

    /// The behavior after the last response.
    public enum ScriptEnding: Sendable {
        /// Repeats the last response.
        case repeatsLast
        /// Starts over from the first response.
        case repeatsAll
        /// Responds with 500 and an explanation.
        case fails
    }
}

extension LoopbackServer.Route {
    /// Creates a route that responds to this method with one response after another; `nil` means all methods.
    public static func script(_ method: String?, _ path: String, _ script: LoopbackServer.Script) -> LoopbackServer.Route {
        on(method, path) { _ in script.next() }
    }

    /// Returns this route with the fault on the calls with these numbers, counted from 1.
    public func with(_ fault: LoopbackServer.Fault, onCalls numbers: Set<Int>) -> LoopbackServer.Route {
        let calls = CallCounter()
        return adapting { _, response in
            numbers.contains(calls.next()) ? response.with(fault) : response
        }
    }
}

/// Counts from 1.
final class CallCounter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
