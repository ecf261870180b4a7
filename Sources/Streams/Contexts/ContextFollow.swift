import Schedulers

extension Observer {
    /// Returns a context that starts an operation for each outcome and takes over its outcomes, or maps an outcome to another one.
    ///
    /// The next outcome cancels the operation of the previous one, whose late outcome is dropped. When this context has terminated and only
    /// that operation remains, the derived context forwards it, and its followers subscribe to the operation instead. So a context that
    /// polls by recursion is a loop with constant memory.
    final func follow<Result>(_ step: @escaping @Sendable (Outcome<Model>) -> Outcome<Observer<Result>>) -> Observer<Result> {
        derive { outcomes, operation in
            Observable { downstream, lifetime in
                let join = SwitchJoin(downstream, lifetime)
                let latest = SwitchJoin<Outcome<Result>?>.Latest(nil)
                let receive: @Sendable (Event<Outcome<Model>?>) -> Void = { event in
                    guard !join.outer.isDisposed else { return }
                    guard case .next(let outcome) = event else {
                        if join.outer.end() { join.completeOuter(after: latest) }
                        return join.run { if operation.beginForwarding() { downstream.onNext(nil) } }
                    }
                    // The link is added before the previous operation is disposed, so that a context that is returned twice is not
                    // cancelled in between.
                    let next: Observable<Outcome<Result>?> =
                        switch outcome.map(step) {
                        case .data(let context)?: context.events(for: operation, asStep: true)
                        case .failure(let error)?: .just(.failure(error))
                        case .cancelled?: .just(.cancelled)
                        case nil: .just(nil)
                        }
                    join.dispose(latest)
                    join.switchTo(next, latest)
                }
                outcomes.start(
                    AnyObserver { event in join.runStep { receive(event) } }, join.outer)
            }
        }
    }
}
