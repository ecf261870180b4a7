/// The messages of one operation.
final class LogJournal: Sendable {
    private struct State {
        var messages: [LogMessage] = []
        var omitted = 0
        var isClosed = false
    }

    /// Bounds the memory of an operation that never terminates.
    static let limit = 1_000

    private let filter: LogFilter?
    /// The log of the enclosing operation, which receives every message, even one that the filter excludes here.
    private let outer: LogJournal?
    private let start = ContinuousClock.now
    private let state = Lock(State())

    /// - Parameter filter: the messages that are kept; `nil` keeps all.
    init(_ filter: LogFilter? = nil, outer: LogJournal? = nil) {
        self.filter = filter
        self.outer = outer
    }

    func note(_ level: LogLevel, _ node: String, _ text: () -> String) {
        guard filter?.passes(node, level) ?? true else {
            outer?.note(level, node, text)
            return
        }
        let text = text().controlsEscaped
        append(LogMessage(node: node, level: level, text: text, time: ContinuousClock.now - start))
        outer?.note(level, node) { text }
    }

    var isEmpty: Bool {
        state.withLock { $0.messages.isEmpty }
    }

    /// The messages so far as text, and the number of those that were discarded.
    var descriptions: [String] {
        let (messages, omitted) = state.withLock { ($0.messages, $0.omitted) }
        return messages.map(\.description) + (omitted > 0 ? ["(\(omitted) messages more)"] : [])
    }

    /// Returns all messages to the first caller; later messages are discarded.
    func close() -> (messages: [LogMessage], omitted: Int, duration: Duration)? {
        let duration = ContinuousClock.now - start
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.messages = [] }
            return (state.messages, state.omitted, duration)
        }
    }

    private func append(_ message: LogMessage) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.messages.count < Self.limit { state.messages.append(message) } else { state.omitted += 1 }
        }
    }
}
