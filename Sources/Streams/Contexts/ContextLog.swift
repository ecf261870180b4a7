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
        @inlinable get { Journal.chain(of: core) }
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

// The logs. Links and log change under one lock, so that the log of a context has each link, whenever it is created.
extension ContextCore {
    /// The log of this context, created on first use.
    @usableFromInline var journal: Journal { progress.withLock { $0.makeJournal() } }

    @usableFromInline var existingJournal: Journal? { progress.withLock { $0.journal } }

    @usableFromInline var journalToKeep: Journal? {
        let journal = progress.withLock { progress in progress.links.isEmpty ? progress.journal : progress.makeJournal() }
        return journal?.isEmpty == true ? nil : journal
    }

    @usableFromInline var links: ShortList<any AnyContextLink> { progress.withLock { $0.links } }

    @usableFromInline func add(_ link: any AnyContextLink) -> (any AnyContextLink)? {
        progress.withLock { progress in
            guard let index = progress.links.firstIndex(where: { $0.anySource === link.anySource }) else {
                progress.links.append(link)
                progress.journal?.add(link)
                return nil
            }
            let replaced = progress.links[index]
            progress.links[index] = link
            progress.journal?.replace(replaced, by: link)
            return replaced
        }
    }

    @usableFromInline func remove(_ link: any AnyContextLink, keepingLog: Bool) {
        let kept = keepingLog ? link.anySource.journalToKeep : nil
        // The removed log is released outside of the lock (law 3).
        _ = progress.withLock { progress -> Journal.Part? in
            guard let index = progress.links.firstIndex(where: { $0 === link }) else { return nil }
            let journal = kept == nil ? progress.journal : progress.makeJournal()
            progress.links.remove(at: index)
            return journal?.settle(link, keeping: kept)
        }
    }
}
