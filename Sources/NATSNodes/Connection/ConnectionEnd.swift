import Foundation
import SocketNodes

/// The end of the attempts to connect, and of the connection.
extension ConnectionCore {
    func giveUp(_ error: any Error) {
        let last = (error as? NATSError) ?? .connectionLost(server: "", reason: redactedText(of: error))
        let failure: NATSError
        let servers = shared.withLock { $0.state.pool.addresses.map(\.name) }
        switch last {
        case .connectionLost(let last, let reason):
            failure = .cannotConnect(servers: servers, reason: servers.count > 1 && !last.isEmpty ? "\(last): \(reason)" : reason)
        default: failure = last
        }
        let (unsent, (receivers, flushes), resumed) = shared.withLock { shared in
            shared.socket = nil
            return (shared.state.pendingMessages, Self.removeAll(&shared, shared.state.giveUp()), shared.resumed())
        }
        end(receivers, flushes, with: failure)
        report(.gaveUp(failure, unsent: unsent))
        resumed.perform()
    }

    private static func removeAll(
        _ shared: inout Shared, _ ids: (flushes: [Int], subscriptions: [Int])
    ) -> ([AnyObserver<NATSMessage<Data>>], [@Sendable ((any Error)?) -> Void]) {
        let receivers = ids.subscriptions.compactMap { shared.receivers.removeValue(forKey: $0) } + shared.requests.removeAll()
        return (receivers, ids.flushes.compactMap { shared.flushes.removeValue(forKey: $0) })
    }

    private func end(_ receivers: [AnyObserver<NATSMessage<Data>>], _ flushes: [@Sendable ((any Error)?) -> Void], with error: NATSError) {
        for receiver in receivers { receiver.onError(error) }
        for flush in flushes { flush(error) }
    }

    /// Closes the connection at once: streams fail with ``NATSError/closed``.
    func close() {
        let isFirst = shared.withLock { $0.state.phase != .closed }
        guard isFirst else { return }
        attempts.dispose()
        let ((receivers, flushes), resumed) = shared.withLock { shared in
            shared.socket = nil
            return (Self.removeAll(&shared, shared.state.close()), shared.resumed())
        }
        end(receivers, flushes, with: .closed)
        report(.closed)
        events.onCompleted()
        resumed.perform()
    }
}

extension ConnectionCore {
    /// Unsubscribes, waits for messages on their way and answers in progress, completes the streams, sends pending messages, and closes.
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
        .create { [responders, configuration] send in
            responders.whenIdle { _ = configuration.scheduler.schedule { send(.completed) } }
            return Disposables.create()
        }
    }

    private func complete(_ ids: [Int]) {
        let receivers = shared.withLock { shared in ids.compactMap { shared.receivers.removeValue(forKey: $0) } }
        for receiver in receivers { receiver.onCompleted() }
    }
}

/// Counts the streams that answer questions.
final class Responders: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    func enter() { state.withLock { $0.count += 1 } }

    func leave() {
        let actions = state.withLock { state -> [@Sendable () -> Void] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in actions { action() }
    }

    /// Calls `action` as soon as no stream answers questions.
    func whenIdle(_ action: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.count > 0 { state.waiting.append(action) }
            return state.count == 0
        }
        if isIdle { action() }
    }
}
