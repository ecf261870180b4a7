import NetNodes

extension ConnectionCore {
    /// Unsubscribes, waits for messages on their way and for answers in progress, completes the streams, sends pending messages, and closes.
    func drain(within limit: Duration) -> Completable {
        .deferred { [self] in
            let ids = shared.withLock { $0.state.beginDraining() }
            pump()
            return flushIfNeeded().do(onCompleted: { [self] in complete(ids) })
                .andThen(answered()).andThen(.deferred { [self] in flushIfNeeded() })
                .timeout(limit, scheduler: configuration.scheduler)
                .do(onError: { [self] _ in close() }, onCompleted: { [self] in close() })
        }
    }

    private func flushIfNeeded() -> Completable {
        shared.withLock { $0.state.mustFlush } ? flush() : .empty()
    }

    /// Completes when no stream answers questions any more.
    private func answered() -> Completable {
        .create { [responders] send in
            responders.notify(queue: .global(qos: .userInitiated)) { send(.completed) }
            return Disposables.create()
        }
    }

    private func complete(_ ids: [Int]) {
        let receivers = shared.withLock { shared in ids.compactMap { shared.receivers.removeValue(forKey: $0) } }
        for receiver in receivers { receiver.onCompleted() }
    }
}
