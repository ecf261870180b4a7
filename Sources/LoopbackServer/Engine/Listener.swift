import Dispatch

/// Accepts connections.
///
/// When the process has no descriptor left it stops accepting (the pending connections wait in the system's backlog) and tries again when a
/// connection was closed or a moment later, whichever comes first: it never spins.
///
/// `@unchecked Sendable`: everything here is touched on the server's queue only.
final class Listener: @unchecked Sendable {
    private static let retryDelay = Duration.milliseconds(100)
    private static let acceptsInARow = 256

    private let socket: StreamSocket
    private let queue: ServerQueue
    private let accept: @Sendable (Int32) -> SocketCalls.Acceptance
    private let onAccepted: @Sendable (Int32) -> Void
    private let onExhausted: @Sendable () -> Void
    private var retryTimer: (any DispatchSourceTimer)?

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

    /// A descriptor came free.
    func retry() {
        guard let retryTimer else { return }
        retryTimer.cancel()
        self.retryTimer = nil
        socket.resumeReading()
    }

    func close() {
        retryTimer?.cancel()
        retryTimer = nil
        socket.close()
    }

    private func acceptPending() {
        for _ in 0..<Self.acceptsInARow {
            switch accept(socket.descriptor) {
            case .socket(let descriptor): onAccepted(descriptor)
            case .tryAgain: continue
            case .wouldBlock: return
            case .exhausted: return rest()
            }
        }
    }

    private func rest() {
        onExhausted()
        socket.pauseReading()
        retryTimer = queue.timer(after: Self.retryDelay) { [weak self] in self?.retry() }
    }
}
