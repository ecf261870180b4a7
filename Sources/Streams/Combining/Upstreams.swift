extension Gate {
    /// Starts `source` in `upstream`, which ends with the terminal event of the source; its events come to `handle` at their turn.
    ///
    /// So `handle` looks at the lifetime of the whole operator, not at `upstream`, whose last elements may still wait then.
    func start<Element: Sendable>(
        _ source: Observable<Element>, in upstream: Lifetime, _ handle: @escaping @Sendable (Event<Element>) -> Void
    ) {
        // One before it has ended the stream while it was being started.
        guard !upstream.isDisposed else { return }
        let inlet = entering(handle)
        source.start(
            AnyObserver { event in
                guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                inlet.on(event)
            }, upstream)
    }
}
