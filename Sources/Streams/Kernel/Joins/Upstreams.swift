extension SharedSerializer {
    /// Starts `source` in `upstream`, which ends with the terminal event of the source; its events come to `handle` at their turn.
    ///
    /// So `handle` looks at the lifetime of the whole operator, not at `upstream`, whose last elements may still wait then. `finished` runs
    /// outside the gate when the source has completed: what it starts in place is delivered as it comes, and can be stopped.
    func start<Element: Sendable>(
        _ source: Observable<Element>, in upstream: Lifetime, finished: (@Sendable () -> Void)? = nil,
        _ handle: @escaping @Sendable (Event<Element>) -> Void
    ) {
        // One before it has ended the stream while it was being started.
        guard !upstream.isDisposed else { return }
        let inlet = entering(handle)
        source.start(
            AnyObserver { event in
                guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                inlet.on(event)
                if event.isCompleted { finished?() }
            }, upstream)
    }
}
