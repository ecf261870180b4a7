import Foundation

/// The state of a connection and its transitions, without sockets, threads and closures.
///
/// The pending bytes are whole commands: when a connection is lost, what was handed to its socket is gone, and what was not is
/// sent on the next one, in order, behind the subscriptions.
struct ConnectionState: Sendable {
    private struct Ping: Sendable {
        /// `nil` if it only checks the connection.
        let flush: Int?
        /// The number of messages that were published before it.
        let published: Int
        var wasSent = false
    }

    static let maximumWaitingPongs = 20_000

    let maximumPendingBytes: Int
    private(set) var phase = Phase.idle
    private(set) var isDraining = false
    private(set) var info: ServerInfo?
    var pool: ServerPool
    private(set) var address: ServerAddress?
    /// Counts the connections, so that what an old one reports late is recognized.
    private(set) var session = 0
    private(set) var subscriptions: [Int: SubscriptionRequest] = [:]
    /// The number of failed attempts since the last connection.
    private(set) var failures = 0
    private(set) var unauthorized = 0

    private var pending = CommandBuffer()
    private var isSending = false
    /// What was added since the last batch: messages, and whether an answer to any of them is awaited.
    private var unsentMessages = 0
    private var isAwaited = false
    /// The last subject that was found to be valid: most messages have the subject of the one before.
    private var validSubject: String?
    private var pings: [Ping] = []
    /// Answers to the server's own checks that have not been sent.
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

    /// Whether so much waits that streams which publish are suspended, until it is handed to the socket.
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

    /// Begins an attempt, and returns where to.
    mutating func beginAttempt() -> ServerAddress {
        session += 1
        let next = pool.take()
        address = next
        return next
    }

    /// - Parameter isDiscovering: whether servers announced by the cluster may be used.
    mutating func receive(_ info: ServerInfo, discovering isDiscovering: Bool = true) {
        self.info = info
        if isDiscovering, let address { pool.discover(info.connectURLs, from: address) }
    }

    /// The connection has been accepted: subscriptions are made again, and pending commands follow them.
    ///
    /// - Returns: whether it replaces one that was lost.
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

    /// An attempt failed, or the connection was lost.
    ///
    /// - Parameter isFailure: not if this program has ended it.
    mutating func didLose(_ error: NATSError, isFailure: Bool = true) -> Loss {
        if case .unauthorized = error { unauthorized += 1 }
        guard phase == .ready else {
            if isFailure { failures += 1 }
            return Loss()
        }
        phase = .reconnecting
        isSending = false
        let loss = Loss(flushes: pings.filter(\.wasSent).compactMap(\.flush), unconfirmed: sent - confirmed, sent: sent)
        pings.removeAll(where: \.wasSent)
        confirmed = sent
        return loss
    }

    /// No further attempt is made: everything that waits fails. A later use connects again.
    ///
    /// - Returns: the flushes that waited, and the subscriptions.
    mutating func giveUp() -> (flushes: [Int], subscriptions: [Int]) {
        phase = phase == .closed ? .closed : .idle
        return removeAll()
    }

    /// Accepts nothing any more.
    mutating func close() -> (flushes: [Int], subscriptions: [Int]) {
        phase = .closed
        return removeAll()
    }

    private mutating func removeAll() -> (flushes: [Int], subscriptions: [Int]) {
        session += 1
        isSending = false
        pending = CommandBuffer()
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
            isAwaited = true
        }
        return lastID
    }

    mutating func unsubscribe(_ id: Int) {
        guard subscriptions.removeValue(forKey: id) != nil, phase == .ready else { return }
        pending.unsubscribe(id)
    }

    /// Adds a message behind everything that waits, and returns its number.
    ///
    /// - Parameter isUnderway: whether it is of a source that is being suspended: then it may be one too many.
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

    /// Asks for a sign that the server has received everything before it.
    mutating func flush() throws(NATSError) -> Int {
        guard phase != .closed else { throw .closed }
        lastID += 1
        ping(Ping(flush: lastID, published: published))
        return lastID
    }

    /// Checks the connection.
    ///
    /// - Returns: how many such checks have not been answered.
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

    /// - Throws: if the server asks again and again without reading an answer: they would take all memory.
    mutating func receivePing() throws(NATSProtocolError) {
        guard phase == .ready else { return }
        guard waitingPongs < Self.maximumWaitingPongs else { throw .unexpected("PING") }
        waitingPongs += 1
        pending.pong()
        isAwaited = true
    }

    /// - Returns: the flush that has completed.
    mutating func receivePong() throws(NATSProtocolError) -> Int? {
        guard let first = pings.first, first.wasSent else { throw .unexpected("PONG") }
        pings.removeFirst()
        confirmed = max(confirmed, first.published)
        return first.flush
    }

    /// Removes all subscriptions, so that only what is on its way still arrives, and accepts no others.
    ///
    /// - Returns: their numbers.
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

    /// Whether the pending messages are the first of many without an awaited answer: a short delay combines more of them into one write.
    var isBurst: Bool {
        phase == .ready && !isAwaited && unsentMessages >= Self.burst && pendingBytes < min(Self.fullBatch, maximumPendingBytes / 8)
    }

    /// Takes everything that waits, if it can be sent now; `didSend` must follow.
    ///
    /// - Parameter memory: an empty array, whose memory is used for the next commands.
    mutating func takeBatch(exchangingFor memory: consuming [UInt8] = []) -> (session: Int, bytes: [UInt8])? {
        guard canSend else { return nil }
        isSending = true
        (unsentMessages, isAwaited) = (0, false)
        waitingPongs = 0
        sent = published
        for index in pings.indices { pings[index].wasSent = true }
        return (session, pending.take(exchangingFor: memory))
    }

    mutating func didSend(in session: Int) {
        guard session == self.session else { return }
        isSending = false
        // What grew while much was sent is not kept by an idle connection.
        if pending.isEmpty, pending.capacity > Self.keptCapacity { pending = CommandBuffer() }
    }

    /// How many messages during one write show that many follow, and the size of a write that costs little for each of them.
    private static let burst = 32
    private static let fullBatch = 32 * 1024
    /// At how many pending bytes streams are suspended, unless half of the limit is less: many writes.
    private static let suspensionBytes = 1 << 20
    /// The capacity that a buffer keeps when nothing is pending.
    private static let keptCapacity = 1 << 20
}
