/// The log of one operation: the messages of all its nodes, and how it terminated.
public struct OperationLog: Sendable, CustomStringConvertible {
    /// The end of an operation.
    public enum Ending: Sendable, Equatable {
        /// The operation completed, or was disposed by its observer while that handled an element, as by `first()`.
        case completed
        /// The operation failed, with the redacted description of the error.
        case failed(String)
        /// Its subscription was disposed otherwise.
        case cancelled
    }

    /// The number of the operation, unique in this process.
    public let id: UInt64
    /// The messages in the order in which they were noted: for the request in the order of the chain, for the response in reverse.
    public let messages: [Message]
    /// The number of messages beyond the first thousand, which are discarded.
    public let omitted: Int
    /// The end of the operation.
    public let ending: Ending
    /// The time from the subscription to the termination.
    public let duration: Duration

    /// The messages as the log of a context.
    public var chain: Chain { Chain(messages.map(\.description)) }

    public var description: String {
        let end =
            switch ending {
            case .completed: "completed"
            case .failed(let reason): "failed: \(reason)"
            case .cancelled: "cancelled"
            }
        let more = omitted > 0 ? ["  (\(omitted) messages more)"] : []
        let lines = messages.map { "  \($0.time.displayText) \($0)" } + more
        return (["operation \(id), \(duration.displayText), \(end)"] + lines).joined(separator: "\n")
    }
}

extension ObservableType {
    /// Passes the messages that were noted upstream with `noting` or `logging` to `sink`, once, on termination or disposal.
    ///
    /// ```swift
    /// numbers.noting(.info, as: "Numbers") { "\($0)" }.logged { log in print(log) }
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// `sink` is called on the thread on which the stream terminates. An outer `logged`, and the log of the context that runs the stream,
    /// receive every message: `filter` does not affect them.
    /// Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
    @inlinable
    public func logged(
        _ filter: OperationLog.Filter = .from(.debug), to sink: @escaping @Sendable (OperationLog) -> Void
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            guard !lifetime.isDisposed else { return }
            let operation = LoggedOperation(filter, lifetime, sink)
            let upstream = operation.makeUpstream(in: lifetime)
            start(
                AnyObserver.receiving { event in
                    guard let event = event.take(in: upstream) else { return }
                    switch event {
                    case .next(let element):
                        operation.isDelivering = true
                        downstream.onNext(element)
                        operation.isDelivering = false
                    case .error(let error):
                        operation.fail(with: error)
                        downstream.onError(error)
                    case .completed:
                        operation.end(.completed)
                        downstream.onCompleted()
                    }
                }, upstream)
        }
    }
}

/// One subscription whose messages are collected.
@usableFromInline
final class LoggedOperation: Sendable {
    private let id = OperationID.next()
    private let journal: LogJournal
    private let sink: @Sendable (OperationLog) -> Void

    @usableFromInline
    init(_ filter: OperationLog.Filter, _ lifetime: Lifetime, _ sink: @escaping @Sendable (OperationLog) -> Void) {
        journal = LogJournal(filter, outer: lifetime.scope?[OperationLog.Notes.Key.self])
        self.sink = sink
        lifetime.add { [self] in end(journal.isDelivering ? .completed : .cancelled) }
    }

    /// Returns the lifetime of the stream whose nodes write to the log.
    @usableFromInline
    func makeUpstream(in lifetime: Lifetime) -> Lifetime {
        lifetime.child(
            scope: (lifetime.scope ?? Scope()).setting(OperationID.self, to: id).setting(OperationLog.Notes.Key.self, to: journal))
    }

    /// Whether the observer is handling an element.
    @usableFromInline
    var isDelivering: Bool {
        get { journal.isDelivering }
        set { journal.isDelivering = newValue }
    }

    @usableFromInline
    func fail(with error: any Error) {
        end(.failed(redactedDescription(of: error)))
    }

    @usableFromInline
    func end(_ ending: OperationLog.Ending) {
        guard let (messages, omitted, duration) = journal.close() else { return }
        sink(OperationLog(id: id, messages: messages, omitted: omitted, ending: ending, duration: duration))
    }
}
