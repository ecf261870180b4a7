internal import CLibcurl
import Foundation
internal import SocketPolling
import Streams

/// Runs transfers on a multi handle of libcurl, on a thread of its own that sleeps until a socket, a deadline or a message wakes it.
///
/// It uses a thread rather than a Dispatch queue: a Dispatch source needs three thread switches for each response, which cost more than the
/// request. The thread is started by the first transfer and ends after the shutdown.
///
/// Sound: all state but the message queue is confined to the thread. Other threads call `start`, `cancel`, `setPaused` and `shutDown` only.
/// Events are delivered on the thread too, but never from within a callback of libcurl.
final class CurlEngine: @unchecked Sendable {
    private enum Message: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resume(CurlTransfer)
        case shutDown
    }

    /// The maximum number of idle easy handles kept for later requests.
    private static let idleHandleLimit = 64

    private let messageQueue = MessageQueue<Message>()
    let configuration: CurlTransport.Configuration
    /// Both are `nil` while no thread runs, and if they cannot be created. Accesses need no exclusivity check, here and below: none of this
    /// is exposed to callers.
    @exclusivity(unchecked) private var multi: OpaquePointer?
    @exclusivity(unchecked) var sockets: CurlSockets?
    @exclusivity(unchecked) private var queues: HostQueues
    @exclusivity(unchecked) private var transfers: [OpaquePointer: CurlTransfer] = [:]
    @exclusivity(unchecked) private var idleHandles: [CurlEasy] = []
    @exclusivity(unchecked) private var messages: [Message] = []
    @exclusivity(unchecked) private var deliveries = DeliveryQueue()
    /// Transfers whose bytes wait until earlier ones have been delivered.
    @exclusivity(unchecked) private var blockedTransfers: [CurlTransfer] = []
    /// The time at which the thread awoke or user code last ran: reading the clock for each line of a head would cost more than parsing it.
    @exclusivity(unchecked) private(set) var now = Deadline.now
    /// The next check of the transfers' deadlines, or earlier: it is not postponed, so that short requests need not update it.
    @exclusivity(unchecked) private var nextDeadline = UInt64.max
    /// The time at which libcurl wants to be called without socket activity.
    @exclusivity(unchecked) var curlDeadline: UInt64?
    private var isShutDown = false
    /// The certificate expiry of each origin; a connection reports it only when it is made.
    var expiries: [Origin: Date] = [:]

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        queues = HostQueues(limit: configuration.connectionsPerHost)
    }

    /// Starts a transfer. Thread-safe.
    func start(_ transfer: CurlTransfer) {
        guard messageQueue.post(.start(transfer), startsWork: true) else { return }
        let thread = Thread { self.work() }
        thread.name = "NetNodes.CurlEngine"
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// Cancels a transfer; no further event is delivered. Thread-safe.
    func cancel(_ transfer: CurlTransfer) {
        if transfer.terminate() { _ = messageQueue.post(.cancel(transfer), startsWork: false) }
    }

    /// Pauses or resumes reading from the network. Thread-safe, also before the transfer is started.
    func setPaused(_ isPaused: Bool, _ transfer: CurlTransfer) {
        guard transfer.setPaused(isPaused), !isPaused else { return }
        _ = messageQueue.post(.resume(transfer), startsWork: false)
    }

    /// Closes all connections as soon as no transfer is running.
    func shutDown() {
        _ = messageQueue.post(.shutDown, startsWork: false)
    }

    /// Queues an event until libcurl has returned.
    func post(_ event: TransferEvent, for transfer: CurlTransfer) {
        deliveries.add(.success(event), for: transfer)
    }

    /// Queues bytes of a body until libcurl has returned.
    func post(_ bytes: UnsafeRawBufferPointer, for transfer: CurlTransfer) {
        deliveries.add(bytes, for: transfer)
    }

    /// Makes libcurl keep a transfer's bytes until earlier ones have been delivered.
    func block(_ transfer: CurlTransfer) {
        blockedTransfers.append(transfer)
    }

    /// Schedules a check of the transfer's deadline.
    func watchDeadline(of transfer: CurlTransfer) {
        nextDeadline = min(nextDeadline, transfer.deadline)
    }
}

/// The thread.
extension CurlEngine {
    private func work() {
        while true {
            handleMessages()
            guard isDone else {
                sleep()
                continue
            }
            close()
            if messageQueue.endWork() { return }
        }
    }

    /// Delivered events lead to new messages; the sockets are polled again after some rounds.
    private func handleMessages() {
        processPending()
        for _ in 0..<16 {
            messageQueue.take(into: &messages)
            guard !messages.isEmpty else { return }
            for index in messages.indices { handle(messages[index]) }
            messages.removeAll(keepingCapacity: true)
            processPending()
        }
    }

    /// Nothing is to be done, or nothing can be done.
    private var isDone: Bool {
        (isShutDown || sockets == nil) && transfers.isEmpty && queues.isEmpty
    }

    private func open() {
        now = Deadline.now
        sockets = CurlSockets()
        multi = sockets != nil && globalInitialization == CURLE_OK ? curl_multi_init() : nil
        guard let multi else { return }
        installCallbacks(in: multi)
        clibcurl_multi_set_long(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
        clibcurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        clibcurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections)
        clibcurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
    }

    private func close() {
        idleHandles.removeAll()
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
        sockets = nil
    }

    private func handle(_ message: Message) {
        switch message {
        case .start(let transfer): begin(transfer)
        case .cancel(let transfer): release(transfer)
        case .resume(let transfer): resume(transfer)
        case .shutDown: isShutDown = true
        }
    }

    private func sleep() {
        guard let sockets else { return }
        let sleeps = messageQueue.beginSleep(wokenBy: sockets.inlet)
        sockets.wait(until: sleeps ? min(nextDeadline, curlDeadline ?? .max) : 0, from: now, onAwake: wakeUp) { socket, interest in
            call(socket, (interest.contains(.read) ? CURL_CSELECT_IN : 0) | (interest.contains(.write) ? CURL_CSELECT_OUT : 0))
        }
        if nextDeadline <= now { checkDeadlines() }
    }

    private func wakeUp() {
        messageQueue.wakeUp()
        now = Deadline.now
    }

    private func checkDeadlines() {
        nextDeadline = .max
        for transfer in Array(transfers.values) + queues.waiting {
            if let error = transfer.expired(at: now) { fail(transfer, error) } else { watchDeadline(of: transfer) }
        }
    }
}

/// The life of a transfer.
extension CurlEngine {
    private func begin(_ transfer: CurlTransfer) {
        guard !transfer.isTerminated else { return }
        do throws(TransportError) {
            try transfer.request.validate(for: transfer.origin)
            watchDeadline(of: transfer)
            if queues.enter(transfer) { try perform(transfer) }
        } catch {
            fail(transfer, error)
        }
    }

    private func perform(_ transfer: CurlTransfer) throws(TransportError) {
        // There may have been no descriptor for it at the previous attempt.
        if multi == nil { open() }
        guard let multi, let easy = idleHandles.popLast() ?? CurlEasy() else {
            throw .cannotConnect(url: redacted(transfer.request.url), reason: "the system has no descriptor or no memory left")
        }
        try easy.configure(for: transfer, configuration)
        transfer.easy = easy
        transfers[easy.handle] = transfer
        let code = curl_multi_add_handle(multi, easy.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl rejected the transfer", url: redacted(transfer.request.url)) }
    }

    /// Removes the transfer's handle from libcurl, which closes the connection if the response was not read completely, and starts the next
    /// one.
    ///
    /// - Parameter isIntact: whether the response was complete.
    private func release(_ transfer: CurlTransfer, isIntact: Bool = false) {
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
        curl_multi_remove_handle(multi, easy.handle)
        transfers[easy.handle] = nil
        guard idleHandles.count < Self.idleHandleLimit else { return }
        easy.release(isIntact: isIntact)
        idleHandles.append(easy)
    }

    private func fail(_ transfer: CurlTransfer, _ error: TransportError) {
        guard !transfer.isTerminated else { return }
        release(transfer)
        deliveries.add(.failure(error), for: transfer)
    }

    private func resume(_ transfer: CurlTransfer) {
        guard !transfer.isTerminated, let easy = transfer.easy else { return }
        transfer.didResume()
        watchDeadline(of: transfer)
        curl_easy_pause(easy.handle, Int32(CURLPAUSE_CONT))
    }

    private func complete(_ handle: OpaquePointer, _ code: CURLcode) {
        guard let transfer = transfers[handle], let easy = transfer.easy else { return }
        if transfer.origin.scheme == "https", easy.isExclusive { sockets?.markExclusive(port: transfer.localPort) }
        switch transfer.outcome(after: code) {
        case .success(let next):
            release(transfer)
            transfer.follow(next)
            begin(transfer)
        case .failure(let error): fail(transfer, error)
        case nil where code == CURLE_OK:
            post(.end(easy.metrics(of: transfer, certificateExpiry: certificateExpiry(of: transfer, on: easy))), for: transfer)
            release(transfer, isIntact: true)
        case nil:
            fail(transfer, TransportError(code, message: easy.errorMessage(code), systemError: easy.systemError, transfer: transfer))
        }
    }
}

/// Drives libcurl.
extension CurlEngine {
    private func call(_ socket: Int32, _ events: Int) {
        guard let multi else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, Int32(events), &running)
    }

    /// Processes everything that libcurl has pending: due timeouts, finished transfers, events to deliver.
    private func processPending() {
        while true {
            readMessages()
            deliverEvents()
            guard let deadline = curlDeadline, deadline <= now else { return }
            curlDeadline = nil
            call(Int32(CURL_SOCKET_TIMEOUT), 0)
        }
    }

    private func readMessages() {
        var left: Int32 = 0
        while let multi, let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
            complete(handle, message.data.result)
        }
    }

    private func deliverEvents() {
        while !deliveries.isEmpty || !blockedTransfers.isEmpty {
            let held = blockedTransfers
            blockedTransfers = []
            deliveries.deliver()
            now = Deadline.now
            for transfer in held where !transfer.isPaused { resume(transfer) }
        }
    }
}
