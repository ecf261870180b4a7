import Foundation
internal import Sockets
import Streams
import Synchronization

/// One connection: the state that its node, its users and the engine share.
///
/// Sound: `outgoing` has a lock; everything else is immutable, or confined to the engine's thread.
final class SocketLink: @unchecked Sendable {
    enum Phase {
        case connecting
        case open
        /// TLS begins on the connection.
        case upgrading(SocketCompletion)
        case ended
    }

    /// The result of an attempt to read.
    enum Input {
        case bytes(Data)
        case end
        case failure(TransportError)
    }

    /// A limit that expires.
    enum Limit: Sendable {
        case connect, idle, total
        /// The time for the peer's end, after ours.
        case close
    }

    /// The size of one read.
    static let readSize = 64 * 1024
    /// The size of one write. After TLS was blocked, it wants the same bytes again.
    static let writeSize = 256 * 1024
    /// The number of bytes that one connection writes before others have their turn.
    static let turnSize = 1024 * 1024
    private static let closeTimeout = Duration.seconds(15)
    private static let failureTimeout = Duration.seconds(1)
    /// The capacity that a buffer keeps when it is empty.
    private static let keptCapacity = 256 * 1024

    let engine: any SocketEngine
    let outgoing: Lock<OutgoingBytes>
    /// Whether TLS is established.
    let isSecure = Atomic(false)
    private let timeouts: SocketConnection.Timeouts
    private let scheduler: any Scheduler
    private let timers: [Limit: SerialDisposable] = [
        .connect: SerialDisposable(), .idle: SerialDisposable(), .total: SerialDisposable(), .close: SerialDisposable(),
    ]
    private let counting = ResourceCounting()
    private let mark = Resources.Mark("SocketLink")

    // Confined to the engine's thread.
    private var receive: (@Sendable (Event<SocketConnection>) -> Void)?
    var endpoint: SocketConnection.Endpoint
    var phase = Phase.connecting
    var channel: (any ByteChannel)?
    /// The descriptor of an open connection of the system.
    var socket: Int32 = -1
    var receiver: SocketReceiver?
    /// The result of the first attempt, before anyone had subscribed.
    var early: Input?
    /// The bytes that are being written, from `unsentStart` on.
    var unsent: [UInt8] = []
    var unsentStart = 0
    var isWaitingToWrite = false
    /// Whether there may be more to read.
    var isReadable = false
    var isEndOfInput = false
    /// Whether input is discarded while it has no subscriber.
    var isClosing = false
    /// The error with which the connection ends in place of a completion.
    var finalError: (any Error)?
    /// The end of the connection, for later subscribers.
    var ending: Event<Data>?
    private var lastActivity = Duration.zero

    init(
        _ endpoint: SocketConnection.Endpoint, overflow: BufferingPolicy, timeouts: SocketConnection.Timeouts, scheduler: any Scheduler,
        engine: any SocketEngine, deliver: @escaping @Sendable (Event<SocketConnection>) -> Void
    ) {
        self.endpoint = endpoint
        self.engine = engine
        self.timeouts = timeouts
        self.scheduler = scheduler
        outgoing = Lock(OutgoingBytes(overflow))
        receive = deliver
    }

    var hasIdleTimeout: Bool { timeouts.idle != nil }

    func deliver(_ event: Event<SocketConnection>) {
        guard let receive else { return }
        if event.isStopEvent { self.receive = nil }
        counting { receive(event) }
    }

    /// Releases the objects that are referenced only while the connection is open. Returns the actions that will not happen.
    func end() -> [OutgoingBytes.Action] {
        phase = .ended
        for timer in timers.values { timer.dispose() }
        (unsent, receiver, early) = ([], nil, nil)
        return outgoing.withLock { $0.removeAll() }
    }
}

/// Writing.
extension SocketLink {
    /// Fetches the next bytes to write, if the last ones have been written. Returns `false` if there are none.
    func fetchOutput() -> Bool {
        guard unsentStart == unsent.count else { return true }
        unsent.removeAll(keepingCapacity: true)
        unsentStart = 0
        if outgoing.withLock({ $0.take(into: &unsent) }) { return true }
        // While much is sent, the memory is used again.
        if unsent.capacity > Self.keptCapacity { unsent = [] }
        return false
    }

    func didWrite(_ count: Int) {
        unsentStart += count
        outgoing.withLock { $0.didWrite(count) }
        recordActivity()
    }
}

/// Timeouts.
extension SocketLink {
    /// Starts the timeouts of a connection that is being made. Thread-safe.
    func startLimits() {
        start(.connect, timeouts.connect)
        start(.total, timeouts.total)
    }

    func didConnect() {
        timers[.connect]?.disposable = Disposables.create()
        recordActivity()
        start(.idle, timeouts.idle)
    }

    /// Limits the handshake of an established connection.
    func startHandshakeLimit() {
        start(.connect, timeouts.connect)
    }

    /// Limits the wait for the peer's end; the wait is short if the peer made a mistake.
    func startCloseLimit() {
        start(.close, finalError == nil ? timeouts.connect ?? Self.closeTimeout : Self.failureTimeout)
    }

    func recordActivity() {
        if timeouts.idle != nil { lastActivity = scheduler.now }
    }

    /// Returns the error of an expired limit; `nil` if the connection continues.
    func expired(_ limit: Limit) -> TransportError? {
        let url = endpoint.description
        switch limit {
        case .connect:
            switch phase {
            case .connecting, .upgrading: return .timedOut(.connect, after: timeouts.connect ?? .zero, url: url)
            case .open, .ended: return nil
            }
        case .total: return .timedOut(.total, after: timeouts.total ?? .zero, url: url)
        case .close: return nil
        case .idle:
            guard let idle = timeouts.idle else { return nil }
            let rest = isWaitingForReceiver ? idle : idle - (scheduler.now - lastActivity)
            guard rest > .zero else { return .timedOut(.idle, after: idle, url: url) }
            start(.idle, rest)
            return nil
        }
    }

    /// Whether reading is suspended because nothing consumes the input.
    private var isWaitingForReceiver: Bool {
        guard let receiver else { return !isClosing }
        return !receiver.isReady
    }

    private func start(_ limit: Limit, _ duration: Duration?) {
        guard let duration else { return }
        timers[limit]?.disposable = scheduler.schedule(after: duration) { [weak self] in
            guard let self else { return }
            engine.expire(limit, self)
        }
    }
}
