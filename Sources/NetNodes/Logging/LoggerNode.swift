public import Streams

/// What happened to one request: the messages of all its nodes, and how it ended.
public struct RequestLog: Sendable, CustomStringConvertible {
    /// How a request ends.
    public enum Ending: Sendable, Equatable {
        case completed
        /// It failed; why, in words without secrets.
        case failed(String)
        /// Whoever asked has lost interest.
        case cancelled
    }

    /// The number of the request, as its subscription carries it: unique in this process.
    public let id: UInt64
    /// In the order in which they were noted: that of the chain on the way to the network, and the reverse on the way back.
    public let messages: [LogMessage]
    /// Messages beyond the first thousand, which were not kept.
    public let omitted: Int
    /// How it ended.
    public let ending: Ending
    /// How long it took.
    public let duration: Duration

    /// The messages as the log of a context.
    public var chain: LogChain { LogChain(messages.map(\.description)) }

    public var description: String {
        let end =
            switch ending {
            case .completed: "completed"
            case .failed(let reason): "failed: \(reason)"
            case .cancelled: "cancelled"
            }
        let more = omitted > 0 ? ["  (\(omitted) messages more)"] : []
        let lines = messages.map { "  \($0.time.forPeople) \($0)" } + more
        return (["request \(id), \(duration.forPeople), \(end)"] + lines).joined(separator: "\n")
    }
}

/// Collects what the nodes after it note about a request and hands it to a sink: one call a request, also when it fails or is cancelled.
///
/// The messages travel in the scope of the subscription, so that one chain serves any number of requests at once and their logs do not
/// mix. Nodes note no secrets: no header values, bodies, or query values. Operator: ``Streams/ObservableType/logged(_:to:)``.
public struct LoggerNode<Input: Sendable, Output: Sendable>: Node {
    private let filter: LogFilter
    private let sink: @Sendable (RequestLog) -> Void
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - filter: which messages are kept.
    ///   - sink: called once a request, on the thread on which it ends.
    public init(
        filter: LogFilter = .from(.debug), sink: @escaping @Sendable (RequestLog) -> Void, next: any Node<Input, Output>
    ) {
        self.filter = filter
        self.sink = sink
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).logged(filter, to: sink)
    }
}

extension ObservableType {
    /// Hands `sink` what was noted upstream with `noting` or `logging`, once, when the stream ends, fails or is disposed.
    public func logged(
        _ filter: LogFilter = .from(.debug), to sink: @escaping @Sendable (RequestLog) -> Void
    ) -> Observable<Element> {
        let source = asObservable()
        return .using {
            LogSession(filter, sink)
        } observableFactory: { session in
            source.carrying(NodeLog.Key.self) { session.journal }
                .carrying(RequestID.self) { session.id }
                .do(onError: { session.end(.failed(sayingNoSecrets($0))) }, onCompleted: { session.end(.completed) })
        }
    }
}

/// The log of one subscription, until it is handed over.
private final class LogSession: Disposable {
    let journal: LogJournal
    let id = RequestID.next()
    private let sink: @Sendable (RequestLog) -> Void

    init(_ filter: LogFilter, _ sink: @escaping @Sendable (RequestLog) -> Void) {
        journal = LogJournal(filter)
        self.sink = sink
    }

    func end(_ ending: RequestLog.Ending) {
        guard let (messages, omitted, duration) = journal.close() else { return }
        sink(RequestLog(id: id, messages: messages, omitted: omitted, ending: ending, duration: duration))
    }

    func dispose() {
        end(.cancelled)
    }
}

/// An error in words that quote nothing of a request or a response: these could be secrets. Errors of other makers are named only.
@Sendable
func sayingNoSecrets(_ error: any Error) -> String {
    switch error {
    case let error as HTTPError: "\(error.failure.url) answered \(error.status)"
    case let error as JSONError: "the body is no JSON (line \(error.line), column \(error.column))"
    case ModelError.undecodable(let type, let path, _): "the body does not fit \(type) at \(path.isEmpty ? "top level" : path)"
    case ModelError.unencodable(let type, let path, _): "\(type) cannot be encoded at \(path.isEmpty ? "top level" : path)"
    case is any SayingNoSecrets: "\(error)".trimmingSuffix(".")
    default: "\(type(of: error))"
    }
}

/// An error whose own words quote nothing secret.
protocol SayingNoSecrets: Error {}

extension TransportError: SayingNoSecrets {}
extension TechnicalError: SayingNoSecrets {}
extension RouteError: SayingNoSecrets {}
extension AccessError: SayingNoSecrets {}
extension RequestAborted: SayingNoSecrets {}
extension RequestEncodingError: SayingNoSecrets {}
extension ServerSentEventError: SayingNoSecrets {}
