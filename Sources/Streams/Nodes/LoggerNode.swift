/// What happened in one operation: the messages of all its nodes, and how it ended.
public struct OperationLog: Sendable, CustomStringConvertible {
    /// How an operation ends.
    public enum Ending: Sendable, Equatable {
        case completed
        /// It failed; the error's redacted description.
        case failed(String)
        /// Its subscription was disposed.
        case cancelled
    }

    /// The number of the operation, as its subscription carries it: unique in this process.
    public let id: UInt64
    /// In the order in which they were noted: that of the chain on the way in, and the reverse on the way back.
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
        return (["operation \(id), \(duration.forPeople), \(end)"] + lines).joined(separator: "\n")
    }
}

/// Collects what the nodes behind it note and passes it to a sink: one call an operation, also when it fails or is cancelled.
///
/// The messages travel in the scope of the subscription, so that one chain serves any number of operations at once, each with its
/// own log. Operator: ``ObservableType/logged(_:to:)``.
public struct LoggerNode<Input: Sendable, Output: Sendable>: Node {
    private let filter: LogFilter
    private let sink: @Sendable (OperationLog) -> Void
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - filter: which messages are kept.
    ///   - sink: called once an operation, on the thread on which it ends.
    ///   - next: whose nodes note.
    public init(
        filter: LogFilter = .from(.debug), sink: @escaping @Sendable (OperationLog) -> Void, next: any Node<Input, Output>
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
    /// Passes to `sink` what was noted upstream with `noting` or `logging`, once, when the stream completes, fails or is disposed.
    ///
    /// ```swift
    /// numbers.noting(.info, as: "Numbers") { "\($0)" }.logged { log in print(log) }
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// `sink` is called on the thread on which the stream ends. What is noted goes to an outer `logged`, and to the log of the context that
    /// runs the stream, as well; `filter` does not concern those.
    /// Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
    public func logged(
        _ filter: LogFilter = .from(.debug), to sink: @escaping @Sendable (OperationLog) -> Void
    ) -> Observable<Element> {
        let source = asObservable()
        return .scoped { scope in
            .using {
                LogSession(filter, outer: scope?[NodeLog.Key.self], sink)
            } observableFactory: { session in
                source.carrying(NodeLog.Key.self) { session.journal }
                    .carrying(OperationID.self) { session.id }
                    .do(onError: { session.end(.failed(redactedDescription(of: $0))) }, onCompleted: { session.end(.completed) })
            }
        }
    }
}

/// The log of one subscription, until it is handed over.
private final class LogSession: Disposable {
    let journal: LogJournal
    let id = OperationID.next()
    private let sink: @Sendable (OperationLog) -> Void

    init(_ filter: LogFilter, outer: LogJournal?, _ sink: @escaping @Sendable (OperationLog) -> Void) {
        journal = LogJournal(filter, outer: outer)
        self.sink = sink
    }

    func end(_ ending: OperationLog.Ending) {
        guard let (messages, omitted, duration) = journal.close() else { return }
        sink(OperationLog(id: id, messages: messages, omitted: omitted, ending: ending, duration: duration))
    }

    func dispose() {
        end(.cancelled)
    }
}
