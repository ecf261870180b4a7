internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// Runs transfers. The first transfer starts its thread, which ends after the shutdown.
///
/// Sound: all state except the message queue is confined to the thread. Other threads call only `start`, `cancel`, `resume` and `shutDown`.
/// Events are delivered on the thread too, but never from within a callback of libcurl.
final class CurlEngine: CurlLoop, @unchecked Sendable {
    private static let threadName = "NetNodes.CurlEngine"
    /// The maximum number of idle easy handles kept for later requests.
    private static let idleHandleLimit = 64

    let messageQueue = MessageQueue()
    let configuration: CurlTransport.Configuration
    /// The multi handle; `nil` while no thread runs, and if it cannot be created. Accesses need no exclusivity check, here and below, since
    /// callers see none of this.
    @exclusivity(unchecked) private(set) var multi: CurlMulti?
    @exclusivity(unchecked) private var queues: HostQueues
    @exclusivity(unchecked) private var transfers: [OpaquePointer: CurlTransfer] = [:]
    @exclusivity(unchecked) private var idleHandles: [CurlEasy] = []
    @exclusivity(unchecked) private var deliveries = DeliveryQueue()
    /// Transfers that wait for the end of a body that has to be empty.
    @exclusivity(unchecked) private var preparing: [CurlTransfer] = []
    /// Transfers whose bytes wait until earlier ones have been delivered.
    @exclusivity(unchecked) private var blockedTransfers: [CurlTransfer] = []
    /// The next check of the transfers' deadlines, or earlier: it is not postponed, so that short requests need not update it.
    @exclusivity(unchecked) private var nextDeadline = UInt64.max
    private var isShutDown = false
    /// The time at which running transfers are ended after an orderly shutdown, and the closures to call when nothing is left.
    private var shutdown: (deadline: UInt64, onEnd: [@Sendable () -> Void])?
    /// Whether there is a thread. If the system had none, everything that begins fails on the caller's thread.
    private var hasThread = false
    /// The certificate expiry of each origin; a connection reports it only when it is made.
    var expiries: [Origin: Date] = [:]

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        queues = HostQueues(limit: configuration.connectionsPerHost)
    }

    /// Starts a transfer. Thread-safe.
    func start(_ transfer: CurlTransfer) {
        start(with: EngineMessage { transfer.engine.accept(transfer) }, threadName: Self.threadName)
    }

    /// Cancels a transfer; no further event is delivered. Thread-safe.
    func cancel(_ transfer: CurlTransfer) {
        if transfer.terminate() { post(EngineMessage { transfer.engine.release(transfer) }) }
    }

    /// Continues a transfer whose subscriber is no longer suspended. Thread-safe.
    func resume(_ transfer: CurlTransfer) {
        // After a shutdown there may be no thread.
        start(with: EngineMessage { transfer.engine.didResume(transfer) }, threadName: Self.threadName)
    }

    /// Continues a request whose body has more bytes, or needs no more. Thread-safe.
    func continueSending(_ transfer: CurlTransfer) {
        post(EngineMessage { transfer.engine.didAwaitBody(of: transfer) })
    }

    /// Closes all connections as soon as no transfer is running.
    func shutDown() {
        post(EngineMessage { [self] in isShutDown = true })
    }

    /// Accepts no further transfer, ends the running ones after a time, and calls `onEnd` when no connection is left. Thread-safe.
    func shutDown(within limit: Duration, onEnd: @escaping @Sendable () -> Void) {
        let deadline = MonotonicTime.now.advanced(by: limit)
        let message = EngineMessage { [self] in
            isShutDown = true
            shutdown = (min(deadline, shutdown?.deadline ?? .max), (shutdown?.onEnd ?? []) + [onEnd])
            nextDeadline = min(nextDeadline, deadline)
        }
        start(with: message, threadName: Self.threadName)
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
    func block(_ transfer: CurlTransfer) {
        guard !transfer.isBlocked else { return }
        transfer.isBlocked = true
        blockedTransfers.append(transfer)
    }

    /// Schedules a check of the transfer's deadline.
    func watchDeadline(of transfer: CurlTransfer) {
        nextDeadline = min(nextDeadline, transfer.deadline)
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
        (isShutDown || multi == nil) && transfers.isEmpty && queues.isEmpty && blockedTransfers.isEmpty && preparing.isEmpty
    }

    private func open() {
        multi = CurlMulti()
        guard let multi else { return }
        clibcurl_multi_set_long(multi.handle, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
        clibcurl_multi_set_long(multi.handle, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        clibcurl_multi_set_long(multi.handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections)
        clibcurl_multi_set_long(multi.handle, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
    }

    private func close() {
        idleHandles.removeAll()
        multi = nil
        let onEnd = shutdown?.onEnd ?? []
        shutdown?.onEnd = []
        for action in onEnd { action() }
    }

    private func sleep() {
        if let deadline = shutdown?.deadline { nextDeadline = min(nextDeadline, deadline) }
        sleep(until: blockedTransfers.isEmpty ? nextDeadline : 0)
        if nextDeadline <= now { checkDeadlines() }
    }

    private func checkDeadlines() {
        nextDeadline = .max
        let mustEnd = shutdown.map { $0.deadline <= now } == true
        for transfer in Array(transfers.values) + queues.waiting + preparing {
            transfer.parkIfSuspended()
            if mustEnd { fail(transfer, transfer.connectionLost("the transport was shut down")) }
            if let error = transfer.expired(at: now) { fail(transfer, error) } else { watchDeadline(of: transfer) }
        }
    }
}

/// The life of a transfer.
extension CurlEngine {
    private func accept(_ transfer: CurlTransfer) {
        guard shutdown != nil else { return begin(transfer) }
        fail(transfer, .cannotConnect(url: redacted(transfer.request.url), reason: "the transport was shut down"))
    }

    private func begin(_ transfer: CurlTransfer) {
        guard !transfer.isTerminated else { return }
        do throws(TransportError) {
            try transfer.request.validate(for: transfer.origin)
            watchDeadline(of: transfer)
            if try !transfer.hasConfirmedBody() {
                _ = try requireMulti(for: transfer)
                preparing.append(transfer)
            } else if queues.enter(transfer) {
                try perform(transfer)
            }
        } catch {
            fail(transfer, error)
        }
    }

    /// Returns the multi handle, without which the thread cannot sleep.
    private func requireMulti(for transfer: CurlTransfer) throws(TransportError) -> CurlMulti {
        // At the previous attempt there may have been no descriptor for it.
        if multi == nil, hasThread { open() }
        guard let multi else { throw .cannotConnect(url: redacted(transfer.request.url), reason: CurlMulti.obstacle) }
        return multi
    }

    private func didAwaitBody(of transfer: CurlTransfer) {
        guard transfer.isAwaitingBody, !transfer.isTerminated else { return }
        if let index = preparing.firstIndex(where: { $0 === transfer }) {
            preparing.remove(at: index)
            begin(transfer)
        } else if let easy = transfer.easy {
            transfer.didAwaitBody()
            curl_easy_pause(easy.handle, Int32(CURLPAUSE_CONT))
        }
    }

    private func perform(_ transfer: CurlTransfer) throws(TransportError) {
        let multi = try requireMulti(for: transfer)
        guard let easy = idleHandles.popLast() ?? CurlEasy() else {
            throw .cannotConnect(url: redacted(transfer.request.url), reason: CurlMulti.obstacle)
        }
        try easy.configure(for: transfer, on: multi, configuration)
        transfer.easy = easy
        transfers[easy.handle] = transfer
        let code = curl_multi_add_handle(multi.handle, easy.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl rejected the transfer", url: redacted(transfer.request.url)) }
    }

    /// Removes the transfer's handle from libcurl and starts the next transfer. libcurl closes the connection if the response was not read
    /// completely.
    ///
    /// - Parameter isIntact: whether the response was complete.
    private func release(_ transfer: CurlTransfer, isIntact: Bool = false) {
        if transfer.emptyBody.take() != nil { preparing.removeAll { $0 === transfer } }
        detach(transfer, isIntact: isIntact)
        var leaving = transfer
        while let next = queues.leave(leaving) {
            do throws(TransportError) {
                return try perform(next)
            } catch {
                detach(next)
                deliveries.add(.failure(error), for: next)
                leaving = next
            }
        }
    }

    private func detach(_ transfer: CurlTransfer, isIntact: Bool = false) {
        guard let easy = transfer.easy, let multi else { return }
        transfer.easy = nil
        curl_multi_remove_handle(multi.handle, easy.handle)
        transfers[easy.handle] = nil
        guard CurlEasy.canBeReused, idleHandles.count < Self.idleHandleLimit else { return }
        easy.release(isIntact: isIntact)
        idleHandles.append(easy)
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
            begin(transfer)
        case .failure(let error): fail(transfer, error)
        case nil where code == CURLE_OK:
            let metrics = easy.metrics(of: transfer, certificateExpiry: certificateExpiry(of: transfer, on: easy))
            end(transfer, with: .success(.end(metrics)), isIntact: true)
        case nil where multi?.endedPort == transfer.localPort:
            fail(transfer, .malformedResponse(url: redacted(transfer.request.url), reason: "the server floods the connection"))
        case nil:
            configuration.failures?(Int32(code.rawValue))
            fail(transfer, TransportError(code, message: easy.errorMessage(code), systemError: easy.systemError, transfer: transfer))
        }
    }

    func deliverEvents() {
        while !deliveries.isEmpty {
            deliveries.deliver()
            multi?.now = MonotonicTime.now
        }
    }

    /// Delivers what has waited for a subscriber, ahead of what is queued, and continues with the next turn.
    private func didResume(_ transfer: CurlTransfer) {
        transfer.didResume()
        multi?.now = MonotonicTime.now
        block(transfer)
    }

    /// Lets libcurl continue what waited, once between two looks at the sockets: it would read one transfer on and on otherwise.
    private func unblockAll() {
        guard !blockedTransfers.isEmpty else { return }
        let blocked = blockedTransfers
        blockedTransfers = []
        for transfer in blocked {
            transfer.isBlocked = false
            unblock(transfer)
        }
    }
}
