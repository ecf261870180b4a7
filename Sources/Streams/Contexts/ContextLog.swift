import Schedulers

extension Observer {
    /// The messages of the operations that led here, each operation's before those of what follows it; nil if there are none.
    ///
    /// Those are what the nodes of a request noted, with secrets redacted (``Node/process(_:)``, `asContext()`), and what `log(_:)` adds. It
    /// can be read at any time: the whole is there when the outcome is. Of what one operation notes the first 1,000 messages are kept, and a
    /// line says how many more there were; of operations that a context ran one after another (attempts of a `retry`, what each new outcome
    /// started) the last 100; of a context that polls by recursion, the last steps.
    ///
    /// Usable from any thread; takes time in proportion to the messages.
    public final var log: LogChain? {
        guard let messages = state.withLock({ $0.journal })?.messages, !messages.isEmpty else { return nil }
        return LogChain(messages)
    }

    /// Adds messages to the log of this context, and so to the log of everything derived of it. Nil adds nothing and loses nothing.
    @discardableResult public final func log(_ chain: LogChain?) -> Self {
        guard let chain, !chain.messages.isEmpty else { return self }
        journal.add(chain)
        return self
    }

    /// Adds a message to the log of this context.
    @discardableResult public final func log(_ message: String) -> Self {
        log(LogChain([message]))
    }

    /// Calls `observe` with this context at each outcome, before that goes on; at once if one is stored. For logging.
    ///
    /// ```swift
    /// node.process().process { print($0.log) }
    /// ```
    ///
    /// A cancel is an outcome, also one that comes from what was derived. Called where this context delivers.
    @discardableResult public final func process(_ observe: @escaping @Sendable (Observer<Model>) -> Void) -> Observer<Model> {
        _ = outcomes.subscribe(onNext: { [weak self, journal] outcome in
            // On a queue the outcome may be delivered when nobody holds the context any more.
            observe(self ?? Observer(outcome, journal: journal))
        })
        let again = recipe.map { recipe in { @Sendable in recipe().process(observe) } }
        return Observer().run(again: again) { operation in events(for: operation) }
    }

    /// The log of this context; made when somebody asks for it.
    final var journal: Journal {
        state.withLock { state in
            let journal = state.journal ?? Journal()
            state.journal = journal
            return journal
        }
    }
}
