import Foundation

/// The state of a connection and its transitions, without sockets, threads and closures.
///
/// The pending bytes are whole commands. When a connection is lost, the bytes that were handed to its socket are gone. The other bytes are
/// sent on the next connection, in order, after the subscriptions.
struct ConnectionState: Sendable {
    private struct Ping: Sendable {
        /// The number of the flush; `nil` if the ping only checks the connection, or the flush has failed.
        var flush: Int?
        /// The number of messages that were published before the ping.
        let published: Int
        var wasSent = false
    }

    static let maximumWaitingPongs = 20_000

    let maximumPendingBytes: Int
    private(set) var phase = Phase.idle
    private(set) var isDraining = false
    private(set) var info: NATSConnection.ServerInfo?
    var pool: ServerPool
    private(set) var address: ServerAddress?
    /// Changes when an attempt begins and when it ends, so that a late report of an old connection is recognized.
    private(set) var session = 0
    private(set) var subscriptions: [Int: SubscriptionRequest] = [:]
    /// The number of failed attempts since the last connection.
    private(set) var failures = 0
    private(set) var unauthorized = 0

    private var pending = CommandBuffer()
    private var isSending = false
    /// The subscriptions that are among the pending commands.
    private var pendingSubscriptions: Set<Int> = []
    /// The messages that were added since the last batch, and whether an answer to any of them is awaited.
    private var unsentMessages = 0
    private var isAwaited = false
    /// The last subject that was found to be valid: most messages have the subject of the previous one.
    private var validSubject: String?
    private var pings: [Ping] = []
    /// The answers to the server's own checks that have not been sent.
    private var waitingPongs = 0
    private var lastID = 0
    private var published = 0
    private(set) var sent = 0
    private var confirmed = 0

    init(_ servers: [ServerAddress], maximumPendingBytes: Int) {
        pool = ServerPool(servers)
        self.maximumPendingBytes = maximumPendingBytes
    }

    /// The number of bytes that wait to be sent.
    var pendingBytes: Int { pending.count }

    /// Whether so many bytes wait that streams which publish are suspended, until these bytes are handed to the socket.
    var isFull: Bool { pending.count >= max(1, min(Self.suspensionBytes, maximumPendingBytes / 2)) }

    /// The number of messages that wait to be sent.
    var pendingMessages: Int { published - sent }

    // MARK: Connections

    /// - Returns: whether the first attempt has to be started.
    mutating func begin() -> Bool {
        guard phase == .idle else { return false }
        phase = .connecting
        failures = 0
        unauthorized = 0
        return true
    }

    /// Begins an attempt, and returns the address of the server to try.
    mutating func beginAttempt() -> ServerAddress {
        session += 1
        let next = pool.take()
        address = next
        return next
    }

    /// - Parameter isDiscovering: whether servers announced by the cluster may be used.
    mutating func receive(_ info: NATSConnection.ServerInfo, discovering isDiscovering: Bool = true) {
        self.info = info
        if isDiscovering, let address { pool.discover(info.connectURLs, from: address) }
    }

    /// Notes that the server has accepted the connection: subscriptions are made again, and pending commands follow them.
    ///
    /// - Returns: whether the connection replaces one that was lost.
    mutating func didConnect() -> Bool {
        let isReconnected = phase == .reconnecting
        phase = .ready
        failures = 0
        unauthorized = 0
        isSending = false
        var commands = CommandBuffer()
        for (id, request) in subscriptions.sorted(by: { $0.key < $1.key }) {
            commands.subscribe(request.subject, queue: request.queue, id: id)
        }
        commands.append(pending)
        pending = commands
        return isReconnected
    }

    /// Notes that an attempt failed, or that the connection was lost.
    ///
    /// - Parameter isFailure: `false` if this program has ended the connection.
    mutating func didLose(_ error: NATSError, isFailure: Bool = true) -> Loss {
        session += 1
        if case .unauthorized = error { unauthorized += 1 }
        guard phase == .ready else {
            if isFailure { failures += 1 }
            return Loss()
        }
        phase = .reconnecting
        isSending = false
        // A flush that is sent with the next connection cannot promise what this one may have lost.
        let isUnsure = sent > confirmed
        let failed = pings.filter { $0.wasSent || isUnsure }.compactMap(\.flush)
        let loss = Loss(flushes: failed, unconfirmed: sent - confirmed, sent: sent)
        pings.removeAll(where: \.wasSent)
        if isUnsure { for index in pings.indices { pings[index].flush = nil } }
        confirmed = sent
        return loss
    }

    /// Makes no further attempt: everything that waits fails. A later use connects again.
    ///
    /// - Returns: the flushes that waited, and the subscriptions.
    mutating func giveUp() -> (flushes: [Int], subscriptions: [Int]) {
        phase = phase == .closed ? .closed : .idle
        return removeAll()
    }

    /// Closes the connection, which then accepts nothing any more.
    mutating func close() -> (flushes: [Int], subscriptions: [Int]) {
        phase = .closed
        return removeAll()
    }

    private mutating func removeAll() -> (flushes: [Int], subscriptions: [Int]) {
        session += 1
        isSending = false
        pending = CommandBuffer()
        pendingSubscriptions = []
        defer {
            pings = []
            subscriptions = [:]
            sent = published
            confirmed = published
        }
        return (pings.compactMap(\.flush), subscriptions.keys.sorted())
    }

    // MARK: Commands

    /// Adds a subscription, and returns its number.
    mutating func subscribe(_ request: SubscriptionRequest) throws(NATSError) -> Int {
        guard phase != .closed, !isDraining else { throw .closed }
        lastID += 1
        subscriptions[lastID] = request
        if phase == .ready {
            pending.subscribe(request.subject, queue: request.queue, id: lastID)
            pendingSubscriptions.insert(lastID)
            isAwaited = true
        }
        return lastID
    }

    mutating func unsubscribe(_ id: Int) {
        guard subscriptions.removeValue(forKey: id) != nil else { return }
        // Without a connection, only a subscription that is sent with the next one must be ended there: a server gives a member of a queue
        // group messages that no other member gets.
        if phase == .ready || pendingSubscriptions.contains(id) { pending.unsubscribe(id) }
    }

    /// Adds a message after everything that waits, and returns its number.
    ///
    /// - Parameter isUnderway: whether the message belongs to a source that is being suspended: then it may exceed the limit.
    @discardableResult
    mutating func publish(
        _ subject: String, reply: String?, headers: [UInt8]?, payload: Data, isUnderway: Bool = false
    ) throws(NATSError) -> Int {
        guard phase != .closed else { throw .closed }
        if subject != validSubject {
            try Subject.check(subject, for: .publishing)
            validSubject = subject
        }
        let size = payload.count + (headers?.count ?? 0)
        if let limit = info?.maximumPayload, size > limit { throw .messageTooLarge(size: size, limit: limit) }
        let waiting = isUnderway ? 0 : pending.count
        guard waiting + size <= maximumPendingBytes else { throw .pendingLimit(bytes: maximumPendingBytes) }
        pending.publish(subject, reply: reply, headers: headers, payload: payload)
        if reply != nil { isAwaited = true }
        unsentMessages += 1
        published += 1
        return published
    }

    /// Asks the server to confirm that it has received everything before.
    mutating func flush() throws(NATSError) -> Int {
        guard phase != .closed else { throw .closed }
        lastID += 1
        ping(Ping(flush: lastID, published: published))
        return lastID
    }

    /// Sends a ping that checks the connection.
    ///
    /// - Returns: the number of checks that have not been answered.
    mutating func checkConnection() -> Int {
        guard phase == .ready else { return 0 }
        ping(Ping(flush: nil, published: published))
        return pings.count { $0.flush == nil }
    }

    private mutating func ping(_ ping: Ping) {
        pings.append(ping)
        pending.ping()
        isAwaited = true
    }

    /// - Throws: an error if the server asks again and again without reading an answer: the answers would fill the memory.
    mutating func receivePing() throws(NATSError.ProtocolViolation) {
        guard phase == .ready else { return }
        guard waitingPongs < Self.maximumWaitingPongs else { throw .unexpected("PING") }
        waitingPongs += 1
        pending.pong()
        isAwaited = true
    }

    /// - Returns: the flush that has completed.
    mutating func receivePong() throws(NATSError.ProtocolViolation) -> Int? {
        guard let first = pings.first, first.wasSent else { throw .unexpected("PONG") }
        pings.removeFirst()
        confirmed = max(confirmed, first.published)
        return first.flush
    }

    /// Removes all subscriptions, so that only messages on their way still arrive, and accepts no further subscriptions.
    ///
    /// - Returns: the numbers of the subscriptions.
    mutating func beginDraining() -> [Int] {
        isDraining = true
        let ids = subscriptions.keys.sorted()
        for id in ids { unsubscribe(id) }
        return ids
    }

    /// Whether anything may be on its way to the server or from it.
    var mustFlush: Bool { phase == .ready || pendingMessages > 0 }

    // MARK: Sending

    /// Whether commands wait, and can be sent now.
    var canSend: Bool { phase == .ready && !isSending && !pending.isEmpty }

    /// Whether the pending messages are the first of many, and no answer is awaited: a short delay combines more of them into one write.
    var isBurst: Bool {
        phase == .ready && !isAwaited && unsentMessages >= Self.burst && pendingBytes < min(Self.fullBatch, maximumPendingBytes / 8)
    }

    /// Takes all pending commands, if they can be sent now; `didSend` must follow.
    ///
    /// - Parameter memory: an empty array, whose memory is used for the next commands.
    mutating func takeBatch(exchangingFor memory: consuming [UInt8] = []) -> (session: Int, bytes: [UInt8])? {
        guard canSend else { return nil }
        isSending = true
        (unsentMessages, isAwaited) = (0, false)
        waitingPongs = 0
        sent = published
        for index in pings.indices { pings[index].wasSent = true }
        if !pendingSubscriptions.isEmpty { pendingSubscriptions = [] }
        return (session, pending.take(exchangingFor: memory))
    }

    mutating func didSend(in session: Int) {
        guard session == self.session else { return }
        isSending = false
        // An idle connection does not keep the memory of a large batch.
        if pending.isEmpty, pending.capacity > Self.keptCapacity { pending = CommandBuffer() }
    }

    /// The number of messages during one write that shows that many will follow, and the size of a write whose cost for each message is
    /// low.
    private static let burst = 32
    private static let fullBatch = 32 * 1024
    /// The number of pending bytes at which streams are suspended, unless half of the limit is less; it is worth many writes.
    private static let suspensionBytes = 1 << 20
    /// The capacity that a buffer keeps when nothing is pending.
    private static let keptCapacity = 1 << 20
}
