internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// A loop of a transport: runs the transfers that ``CurlLoops`` gives it. The first one starts its thread, which ends after the shutdown.
///
/// Sound: all state except the message queue is confined to the thread. Other threads call only the functions that post a message.
/// Events are delivered on the thread too, but never from within a callback of libcurl.
final class CurlEngine: CurlLoop, @unchecked Sendable {
    let messageQueue = MessageQueue()
    let configuration: CurlTransport.Configuration
    /// The number of the loop.
    let index: Int
    private let threadName: String
    /// The multi handle; `nil` while no thread runs, and if it cannot be created. Accesses need no exclusivity check, here and below, since
    /// callers see none of this.
    @exclusivity(unchecked) private(set) var multi: CurlMulti?
    let connections: EngineConnections
    private let traffic: LoopTraffic
    private let watch: CallWatch
    @exclusivity(unchecked) private var transfers: [OpaquePointer: CurlTransfer] = [:]
    @exclusivity(unchecked) private var idleHandles = IdleHandles()
    @exclusivity(unchecked) private var deliveries = DeliveryQueue()
    @exclusivity(unchecked) private var waiting = WaitingTransfers()
    /// The next check of the transfers' deadlines, or earlier: it is not postponed, so that short requests need not update it.
    @exclusivity(unchecked) private var nextDeadline = UInt64.max
    private var end = EngineEnd()
    /// Whether there is a thread. If the system had none, everything that begins fails on the caller's thread.
    private var hasThread = false

    init(_ configuration: CurlTransport.Configuration, index: Int, _ traffic: LoopTraffic, _ watch: CallWatch) {
        (self.configuration, self.index, self.traffic, self.watch) = (configuration, index, traffic, watch)
        threadName = "NetNodes.Loop\(index)"
        connections = EngineConnections(configuration, index: index, traffic)
    }

    /// Queues an event until libcurl has returned.
    func enqueue(_ event: TransferEvent, for transfer: CurlTransfer) {
        deliveries.add(.success(event), for: transfer)
    }

    /// Queues bytes of a body until libcurl has returned.
    func enqueue(_ bytes: UnsafeRawBufferPointer, for transfer: CurlTransfer) {
        deliveries.add(bytes, for: transfer)
    }

    /// Makes libcurl keep a transfer's bytes until earlier ones have been delivered.
    func block(_ transfer: CurlTransfer) { waiting.block(transfer) }

    /// Schedules a check of the transfer's deadline.
    func watchDeadline(of transfer: CurlTransfer) {
        nextDeadline = min(nextDeadline, transfer.deadline)
    }
}

/// Calls from any thread.
extension CurlEngine {
    func start(with message: EngineMessage) { start(with: message, threadName: threadName) }

    /// Starts a transfer whose loop this is.
    func start(_ transfer: CurlTransfer) { start(with: EngineMessage { transfer.engine.begin(transfer) }) }

    /// Watches the deadlines of the transfers that have no loop yet.
    func watchWaiting(until deadline: UInt64) {
        start(
            with: EngineMessage { [self] in
                nextDeadline = min(nextDeadline, deadline)
                if multi == nil, hasThread, traffic.hasWaiting { open() }
            })
    }

    /// Makes the thread look whether anything is left to do.
    func wake() { post(EngineMessage {}) }

    /// Closes all connections as soon as no transfer is running.
    func shutDown() { post(EngineMessage { [self] in end.request() }) }

    /// Ends the running transfers at the deadline, and calls `onEnd` when no connection is left.
    func shutDown(at deadline: UInt64, onEnd: @escaping @Sendable () -> Void) {
        start(
            with: EngineMessage { [self] in
                end.request(at: deadline, then: onEnd)
                nextDeadline = min(nextDeadline, deadline)
            })
    }
}

/// Work on the thread.
extension CurlEngine {
    /// The time at which the thread woke up or user code last ran.
    var now: UInt64 { multi?.now ?? MonotonicTime.now }

    func work(isPossible: Bool) {
        hasThread = isPossible
        while true {
            unblockAll()
            handleMessages()
            guard isDone else {
                sleep()
                continue
            }
            close()
            if messageQueue.endWork() { return }
        }
    }

    /// Whether nothing is to be done, or nothing can be done.
    private var isDone: Bool {
        guard transfers.isEmpty, waiting.isEmpty else { return false }
        return multi == nil || end.isRequested && (index > 0 || !traffic.hasWaiting)
    }

    private func open() {
        multi = CurlMulti(watchedBy: watch) { [connections] in connections.didClose($0) }
        multi?.didEnd = { [connections] multi, running in connections.limitIdle(in: multi, running: running) }
        if let multi { connections.prepare(multi, configuration) }
    }

    private func close() {
        idleHandles.removeAll()
        multi = nil
        for action in end.takeActions() { action() }
    }

    private func sleep() {
        nextDeadline = min(nextDeadline, end.deadline)
        sleep(until: waiting.hasBlocked ? 0 : nextDeadline)
        if nextDeadline <= now { checkDeadlines() }
    }

    private func checkDeadlines() {
        nextDeadline = .max
        let mustEnd = end.deadline <= now
        for transfer in Array(transfers.values) + waiting.withoutHandle {
            transfer.parkIfSuspended()
            if mustEnd { fail(transfer, transfer.connectionLost(.transportEnd)) }
            if let error = transfer.expired(at: now) { fail(transfer, error) } else { watchDeadline(of: transfer) }
        }
        guard index == 0 else { return }
        let (expired, deadline) = traffic.takeExpired(at: mustEnd ? .max : now)
        nextDeadline = min(nextDeadline, deadline)
        for transfer in expired { fail(transfer, transfer.expired(at: now) ?? transfer.connectionLost(.transportEnd)) }
    }
}

/// The life of a transfer.
extension CurlEngine {
    /// Begins a transfer, or its next request.
    func begin(_ transfer: CurlTransfer) {
        waiting.remove(transfer)
        guard !transfer.isTerminated else { return release(transfer) }
        do throws(TransportError) {
            if transfer.isRefused { throw .cannotConnect(url: transfer.request.redactedURL, reason: .transportEnd) }
            try transfer.request.validate(for: transfer.origin)
            watchDeadline(of: transfer)
            guard try transfer.confirmBody() else {
                _ = try requireMulti(for: transfer)
                return waiting.prepare(transfer)
            }
            switch transfer.place?.loop ?? traffic.reenter(transfer) {
            case index: try attach(transfer)
            case let loop?: hand(transfer, to: loop)
            case nil: waiting.queue(transfer)
            }
        } catch {
            fail(transfer, error)
        }
    }

    /// Lets another loop have a transfer, of which nothing is left here.
    private func hand(_ transfer: CurlTransfer, to loop: Int) {
        waiting.unblock(transfer)
        transfer.move(to: loop)
        transfer.loops.engines[loop].start(transfer)
    }

    /// Returns the multi handle, without which the thread cannot sleep.
    private func requireMulti(for transfer: CurlTransfer) throws(TransportError) -> CurlMulti {
        // At the previous attempt there may have been no descriptor for it.
        if multi == nil, hasThread { open() }
        guard let multi else { throw .cannotConnect(url: transfer.request.redactedURL, reason: CurlMulti.obstacle) }
        return multi
    }

    func didAwaitBody(of transfer: CurlTransfer) {
        guard transfer.isAwaitingBody, !transfer.isTerminated else { return }
        if waiting.remove(transfer) {
            begin(transfer)
        } else if let easy = transfer.easy {
            transfer.didAwaitBody()
            curl_easy_pause(easy.handle, Int32(CURLPAUSE_CONT))
        }
    }

    private func attach(_ transfer: CurlTransfer) throws(TransportError) {
        let multi = try requireMulti(for: transfer)
        guard let easy = idleHandles.take() else {
            throw .cannotConnect(url: transfer.request.redactedURL, reason: CurlMulti.obstacle)
        }
        try easy.configure(for: transfer, on: multi, configuration)
        transfer.easy = easy
        transfers[easy.handle] = transfer
        connections.apply(transfer.place, to: multi, running: transfers.count)
        let code = curl_multi_add_handle(multi.handle, easy.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl rejected the transfer", url: transfer.request.redactedURL) }
    }

    /// Removes the transfer's handle from libcurl, and releases its place for the next one. libcurl closes the connection if the response
    /// was not read completely.
    ///
    /// - Parameter isIntact: whether the response was complete.
    func release(_ transfer: CurlTransfer, isIntact: Bool = false) {
        transfer.emptyBody = nil
        waiting.remove(transfer)
        detach(transfer, isIntact: isIntact)
        transfer.loops.leave(transfer)
    }

    private func detach(_ transfer: CurlTransfer, isIntact: Bool) {
        guard let easy = transfer.easy, let multi else { return }
        transfer.easy = nil
        curl_multi_remove_handle(multi.handle, easy.handle)
        transfers[easy.handle] = nil
        idleHandles.add(easy, isIntact: isIntact)
    }

    private func fail(_ transfer: CurlTransfer, _ error: TransportError) {
        guard !transfer.isTerminated else { return }
        end(transfer, with: .failure(error))
    }

    /// Releases the transfer, and queues its last event after everything that it has received.
    private func end(_ transfer: CurlTransfer, with event: TransferOutlet.Event, isIntact: Bool = false) {
        release(transfer, isIntact: isIntact)
        if transfer.isDrained { deliveries.add(event, for: transfer) } else { transfer.heldEnd = event }
    }

    /// Continues a transfer that has waited for its consumer: first with the bytes that it has received, and then with libcurl, which has
    /// paused it.
    private func unblock(_ transfer: CurlTransfer) {
        guard !transfer.isTerminated, !transfer.isParked else { return }
        transfer.didUnblock()
        if let end = transfer.takeEnd() { return deliveries.add(end, for: transfer) }
        guard transfer.isDrained, let easy = transfer.easy else { return }
        if case .failure(let error)? = transfer.outcome { return fail(transfer, error) }
        watchDeadline(of: transfer)
        curl_easy_pause(easy.handle, Int32(CURLPAUSE_CONT))
    }

    func didFinish(_ handle: OpaquePointer, _ code: CURLcode) {
        guard let transfer = transfers[handle], let easy = transfer.easy else { return }
        if transfer.origin.scheme == "https", easy.isExclusive { multi?.sockets.markExclusive(port: transfer.localPort) }
        switch transfer.outcome(after: code) {
        case .success(let next):
            release(transfer)
            transfer.follow(next)
            waiting.follow(transfer)
        case .failure(let error): fail(transfer, error)
        case nil where code == CURLE_OK:
            let metrics = easy.metrics(of: transfer, certificateExpiry: connections.certificateExpiry(of: transfer, on: easy))
            end(transfer, with: .success(.end(metrics)), isIntact: true)
        case nil where multi?.endedPort == transfer.localPort:
            fail(transfer, .malformedResponse(url: transfer.request.redactedURL, reason: "the server floods the connection"))
        case nil:
            configuration.failures?(Int32(code.rawValue))
            fail(transfer, TransportError(code, message: easy.errorMessage(code), systemError: easy.systemError, transfer: transfer))
        }
    }

    func deliverEvents() {
        while !deliveries.isEmpty || waiting.hasFollowing {
            if !deliveries.isEmpty {
                deliveries.deliver()
                multi?.now = MonotonicTime.now
            }
            for transfer in waiting.takeFollowing() { begin(transfer) }
        }
    }

    /// Delivers what has waited for a subscriber, ahead of what is queued, and continues with the next turn.
    func didResume(_ transfer: CurlTransfer) {
        transfer.didResume()
        multi?.now = MonotonicTime.now
        block(transfer)
    }

    /// Lets libcurl continue what waited, once between two looks at the sockets: it would read one transfer on and on otherwise.
    private func unblockAll() {
        guard waiting.hasBlocked else { return }
        for transfer in waiting.takeBlocked() { unblock(transfer) }
    }
}

extension String {
    /// The reason why a shutdown ends or refuses a transfer.
    fileprivate static let transportEnd = "the transport was shut down"
}
