import Foundation
import SocketNodes

/// The end of the attempts to connect, and of the connection.
extension ConnectionCore {
    func giveUp(_ error: any Error) {
        let last = (error as? NATSError) ?? .connectionLost(server: "", reason: redactedText(of: error))
        let failure: NATSError
        let servers = shared.withLock { $0.state.pool.addresses.map(\.name) }
        switch last {
        case .connectionLost(_, let reason): failure = .cannotConnect(servers: servers, reason: reason)
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
    ) -> ([AnyObserver<Message<Data>>], [@Sendable ((any Error)?) -> Void]) {
        let receivers = ids.subscriptions.compactMap { shared.receivers.removeValue(forKey: $0) } + shared.requests.removeAll()
        return (receivers, ids.flushes.compactMap { shared.flushes.removeValue(forKey: $0) })
    }

    private func end(_ receivers: [AnyObserver<Message<Data>>], _ flushes: [@Sendable ((any Error)?) -> Void], with error: NATSError) {
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
