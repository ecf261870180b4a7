import Schedulers

extension Observer {
    /// The messages of this operation and of those upstream, in order; `nil` if there are none.
    ///
    /// These are the redacted messages of the nodes (``Node/process(_:)``, `asContext()`) and those of `log(_:)`. You can read the log at
    /// any time; it is complete when there is an outcome. The log keeps:
    ///
    /// - of one operation, the first 1,000 messages, and the number of the others;
    /// - of operations that a context ran one after another (attempts of a `retry`, an operation for each outcome), the last 100;
    /// - of a context that polls by recursion, the last steps.
    ///
    /// Thread-safe. Complexity: linear in the number of messages.
    public final var log: OperationLog.Chain? {
        guard let messages = core.progress.withLock({ $0.journal })?.messages, !messages.isEmpty else { return nil }
        return OperationLog.Chain(messages)
    }

    /// Adds messages to the log of this context, and so to the logs of the contexts derived from it. `nil` adds nothing.
    @discardableResult public final func log(_ chain: OperationLog.Chain?) -> Self {
        guard let chain, !chain.messages.isEmpty else { return self }
        core.journal.add(chain)
        return self
    }

    /// Adds a message to the log of this context.
    @discardableResult public final func log(_ message: String) -> Self {
        log(OperationLog.Chain([message]))
    }

    /// Calls `observe` with this context for each outcome before the outcome is forwarded, and immediately if one is stored. Use it for
    /// logging.
    ///
    /// ```swift
    /// node.process("ada").process { context in print(context.log?.messages ?? []) }
    /// ```
    ///
    /// A cancellation is an outcome too, even that of a derived context. `observe` is called where this context delivers.
    @inlinable @discardableResult public final func process(_ observe: @escaping @Sendable (Observer<Model>) -> Void) -> Observer<Model> {
        _ = outcomes.subscribe(onNext: { [weak self, journal = core.journal] outcome in
            // On a queue, the outcome may be delivered when nothing retains the context any more.
            observe(self ?? Observer(outcome, journal: journal))
        })
        var again: Recipe?
        if let recipe { again = { Observer.restart(recipe).process(observe) } }
        return Observer().run(again: again) { operation in events(for: operation) }
    }
}
