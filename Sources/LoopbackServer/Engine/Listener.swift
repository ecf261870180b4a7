import Dispatch

/// Accepts connections.
///
/// When the process has no descriptor left it stops accepting (pending connections wait in the system's backlog) and retries when a
/// connection is closed or after a short delay, whichever comes first, so that it never spins.
///
/// `@unchecked Sendable`: all state is confined to the server's queue.
final class Listener: @unchecked Sendable {
    private static let retryDelay = Duration.milliseconds(100)
    private static let maximumAcceptsPerWakeup = 256

    private let socket: StreamSocket
    private let queue: ServerQueue
    private let accept: @Sendable (Int32) -> SocketCalls.Acceptance
    private let onAccepted: @Sendable (Int32) -> Void
    private let onExhausted: @Sendable () -> Void
    private var retryTimer: (any Disposable)?

    init(
        socket: StreamSocket, queue: ServerQueue, accept: @escaping @Sendable (Int32) -> SocketCalls.Acceptance,
        onAccepted: @escaping @Sendable (Int32) -> Void, onExhausted: @escaping @Sendable () -> Void
    ) {
        self.socket = socket
        self.queue = queue
        self.accept = accept
        self.onAccepted = onAccepted
        self.onExhausted = onExhausted
    }

    func start() {
        socket.startReading { [weak self] in self?.acceptPending() }
    }

    /// Retries because a descriptor has become free.
    func retry() {
        guard let retryTimer else { return }
        retryTimer.dispose()
        self.retryTimer = nil
        socket.resumeReading()
    }

    func close() {
        retryTimer?.dispose()
        retryTimer = nil
        socket.close()
    }

    private func acceptPending() {
        for _ in 0..<Self.maximumAcceptsPerWakeup {
            switch accept(socket.descriptor) {
            case .socket(let descriptor): onAccepted(descriptor)
            case .tryAgain: continue
            case .wouldBlock: return
            case .exhausted: return pauseAccepting()
            }
        }
    }

    private func pauseAccepting() {
        onExhausted()
        socket.pauseReading()
        retryTimer = queue.timer(after: Self.retryDelay) { [weak self] in self?.retry() }
    }
}
