public import Streams
import Synchronization

/// Where a node notes what happens to the request that it works for. Notes go nowhere where no ``LoggerNode`` stands before it.
///
/// ```swift
/// func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
///     .logging { log in
///         log.note(.info, "MyNode", "it begins")
///         return next.stream(input)
///     }
/// }
/// ```
public struct NodeLog: Sendable {
    enum Key: Scope.Key {
        typealias Value = LogJournal
    }

    let journal: LogJournal?

    init(_ scope: Scope?) {
        journal = scope?[NodeLog.Key.self]
    }

    /// Whether anybody listens.
    public var isOn: Bool { journal != nil }

    /// Adds a message. Callable from any thread; once the request is over, nothing happens.
    ///
    /// - Parameters:
    ///   - node: the name of the node's type.
    ///   - text: made only if the message is kept. It must hold no secrets.
    public func note(_ level: LogLevel, _ node: String, _ text: @autoclosure () -> String) {
        journal?.note(level, node, text)
    }

    /// Runs `action` and notes as an error what it throws, in words without secrets.
    public func notingFailure<Result>(as node: String, _ action: () throws -> Result) rethrows -> Result {
        do { return try action() } catch {
            note(.error, node, sayingNoSecrets(error))
            throw error
        }
    }
}

/// The number of a request, which its subscription carries in its scope: `scope[RequestID.self]`.
public enum RequestID: Scope.Key {
    public typealias Value = UInt64

    private static let last = Atomic<UInt64>(0)

    /// A number that no request of this process has had.
    static func next() -> UInt64 {
        last.add(1, ordering: .relaxed).newValue
    }
}

extension Observable {
    /// Makes the stream when somebody subscribes, with the log of the request that it belongs to.
    public static func logging(_ factory: @escaping @Sendable (NodeLog) throws -> Observable<Element>) -> Observable<Element> {
        .scoped { scope in try factory(NodeLog(scope)) }
    }

    /// Sends what `makeElement` returns, or fails with what it throws and notes that in the request's log.
    static func noted(as node: String, _ makeElement: @escaping @Sendable () throws -> Element) -> Observable<Element> {
        Observable { downstream, lifetime in
            let element: Element
            do { element = try NodeLog(lifetime.scope).notingFailure(as: node, makeElement) } catch { return downstream.onError(error) }
            downstream.finish(with: element, in: lifetime)
        }
    }
}

extension ObservableType {
    /// Notes in the request's log what `message` says about an event; `nil` notes nothing. Where nobody listens it costs nothing.
    public func noting(
        _ level: LogLevel, as node: String, _ message: @escaping @Sendable (Event<Element>) -> String?
    ) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            guard log.isOn else { return source }
            let note: @Sendable (Event<Element>) -> Void = { event in
                if let text = message(event) { log.note(level, node, text) }
            }
            return source.do(onNext: { note(.next($0)) }, onError: { note(.error($0)) }, onCompleted: { note(.completed) })
        }
    }

    /// Notes in the request's log why the stream failed, as an error.
    func notingFailure(as node: String) -> Observable<Element> {
        noting(.error, as: node) { $0.error.map(sayingNoSecrets) }
    }
}

/// The messages of one request as they come.
final class LogJournal: Sendable {
    private struct State {
        var messages: [LogMessage] = []
        var omitted = 0
        var isOver = false
    }

    /// A request that never ends must not fill the memory.
    private static let limit = 1_000

    private let filter: LogFilter
    private let start = ContinuousClock.now
    private let state = Lock(State())

    init(_ filter: LogFilter) {
        self.filter = filter
    }

    func note(_ level: LogLevel, _ node: String, _ text: () -> String) {
        guard filter.passes(node, level) else { return }
        let message = LogMessage(node: node, level: level, text: text().controlsEscaped, time: ContinuousClock.now - start)
        state.withLock { state in
            guard !state.isOver else { return }
            if state.messages.count < Self.limit { state.messages.append(message) } else { state.omitted += 1 }
        }
    }

    /// Everything so far, once: whoever comes first gets it.
    func close() -> (messages: [LogMessage], omitted: Int, duration: Duration)? {
        let duration = ContinuousClock.now - start
        return state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.messages = [] }
            return (state.messages, state.omitted, duration)
        }
    }
}
