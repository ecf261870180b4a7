import Synchronization

extension OperationLog {
    /// The log to which a node writes: the log of the context that runs the operation, and that of ``ObservableType/logged(_:to:)``
    /// downstream. Without either, messages are discarded.
    ///
    /// ```swift
    /// let noted = AnyNode<String, String> { input in
    ///     .logging { log in
    ///         log.note(.info, "Search", "begins")
    ///         return search.stream(input)
    ///     }
    /// }
    /// ```
    public struct Notes: Sendable {
        enum Key: Scope.Key {
            typealias Value = LogJournal
        }

        let journal: LogJournal?

        @usableFromInline
        package init(_ scope: Scope?) {
            journal = scope?[Notes.Key.self]
        }

        /// Whether messages are kept.
        public var isOn: Bool { journal != nil }

        /// Adds a message. You can call it from any thread. ``ObservableType/logged(_:to:)`` records messages until its operation
        /// terminates; a context also records later ones.
        ///
        /// - Parameters:
        ///   - level: the severity of the message.
        ///   - node: the name of the node's type.
        ///   - text: called only if the message is kept. It must not contain secrets.
        public func note(_ level: Level, _ node: String, _ text: @autoclosure () -> String) {
            journal?.note(level, node, text)
        }

        /// Runs `action`, and notes the error that it throws, redacted.
        public func notingFailure<Result>(as node: String, _ action: () throws -> Result) rethrows -> Result {
            do { return try action() } catch {
                note(.error, node, redactedDescription(of: error))
                throw error
            }
        }
    }
}

/// The number of an operation, stored in the scope of its subscription: `scope[OperationID.self]`.
package enum OperationID: Scope.Key {
    package typealias Value = UInt64

    private static let last = Atomic<UInt64>(0)

    /// Returns a number that is unique in this process.
    static func next() -> UInt64 {
        last.add(1, ordering: .relaxed).newValue
    }
}

extension Observable {
    /// Creates a stream for each subscription, with the log of its operation.
    ///
    /// ```swift
    /// Observable.logging { log in
    ///     log.note(.info, "Numbers", "begins")
    ///     return numbers
    /// }
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, Defer](https://reactivex.io/documentation/operators/defer.html).
    @inlinable
    public static func logging(_ factory: @escaping @Sendable (OperationLog.Notes) throws -> Observable<Element>) -> Observable<Element> {
        made { lifetime in try factory(OperationLog.Notes(lifetime.scope)) }
    }
}

extension ObservableType {
    /// Notes the result of `message` for each event in the operation's log, unless it is `nil`. Without a log, `message` is not called.
    ///
    /// ```swift
    /// numbers.noting(.info, as: "Numbers") { $0.element.map { "got \($0)" } }
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
    public func noting(
        _ level: OperationLog.Level, as node: String, _ message: @escaping @Sendable (Event<Element>) -> String?
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

    /// Notes the error with which the stream fails, in the operation's log.
    package func notingFailure(as node: String) -> Observable<Element> {
        noting(.error, as: node) { $0.error.map(redactedDescription(of:)) }
    }
}
