internal import CLibcurl
import Foundation
internal import SocketPolling
import Streams

/// Runs transfers on one multi handle of libcurl, on one thread of its own, which sleeps until a socket, a deadline or a caller wakes it.
///
/// A thread and not a Dispatch queue: a source of Dispatch needs three thread switches for each answer, which cost more than the request.
/// It is started with the first transfer and ends after the shutdown.
///
/// All state but the mailbox is confined to the thread: that makes the unchecked conformance sound. Callers come in through `start`, `cancel` and
/// `shutDown` only. Events are delivered on the thread too, but never from inside libcurl.
final class CurlEngine: @unchecked Sendable {
    private enum Message: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resume(CurlTransfer)
        case shutDown
    }

    /// Idle easy handles that are kept for the next requests.
    private static let idleHandleLimit = 64

    private let mailbox = Mailbox<Message>()
    let configuration: CurlTransport.Configuration
    /// Both are `nil` while no thread runs, and if they cannot be had. Accesses need no check, here and below: nothing of this is lent to callers.
    @exclusivity(unchecked) private var multi: OpaquePointer?
    @exclusivity(unchecked) var sockets: CurlSockets?
    @exclusivity(unchecked) private var queues: HostQueues
    @exclusivity(unchecked) private var transfers: [OpaquePointer: CurlTransfer] = [:]
    @exclusivity(unchecked) private var idleHandles: [CurlEasy] = []
    @exclusivity(unchecked) private var messages: [Message] = []
    @exclusivity(unchecked) private var outbox = Outbox()
    /// Transfers whose bytes wait until those before are delivered.
    @exclusivity(unchecked) private var heldUp: [CurlTransfer] = []
    /// The time when the thread awoke or user code had run last: to ask the clock for each line of a head would cost more than the line.
    @exclusivity(unchecked) private(set) var now = Deadline.now
    /// When the limits of a transfer are to be looked at, or earlier: it is not moved to a later time, so that short requests need not care.
    @exclusivity(unchecked) private var nextDeadline = UInt64.max
    /// When libcurl wants to be called although no socket has anything to tell.
    @exclusivity(unchecked) var curlDeadline: UInt64?
    private var isShutDown = false
    /// A connection tells it only when it is made.
    var expiries: [Origin: Date] = [:]

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        queues = HostQueues(limit: configuration.connectionsPerHost)
    }

    /// Begins a transfer. Callable from any thread.
    func start(_ transfer: CurlTransfer) {
        guard mailbox.post(.start(transfer), startsWork: true) else { return }
        let thread = Thread { self.work() }
        thread.name = "NetNodes.CurlEngine"
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// Ends a transfer without a further event. Callable from any thread.
    func cancel(_ transfer: CurlTransfer) {
        if transfer.end() { _ = mailbox.post(.cancel(transfer), startsWork: false) }
    }

    /// Lets a transfer take no more bytes from the network, or go on. Callable from any thread, also before it is started.
    func setPaused(_ isPaused: Bool, _ transfer: CurlTransfer) {
        guard transfer.setPaused(isPaused), !isPaused else { return }
        _ = mailbox.post(.resume(transfer), startsWork: false)
    }

    /// Lets go of all connections as soon as no transfer runs any more.
    func shutDown() {
        _ = mailbox.post(.shutDown, startsWork: false)
    }

    /// Keeps an event until libcurl has returned.
    func post(_ event: TransferEvent, for transfer: CurlTransfer) {
        outbox.add(.success(event), for: transfer)
    }

    /// Lets libcurl keep a transfer's bytes until what it brought before is delivered.
    func holdUp(_ transfer: CurlTransfer) {
        heldUp.append(transfer)
    }

    /// Sees to it that the transfer's limits are looked at in time.
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
            if mailbox.endWork() { return }
        }
    }

    /// Events that are delivered bring new messages; the sockets have their turn again after some rounds.
    private func handleMessages() {
        settle()
        for _ in 0..<16 {
            mailbox.take(into: &messages)
            guard !messages.isEmpty else { return }
            for index in messages.indices { handle(messages[index]) }
            messages.removeAll(keepingCapacity: true)
            settle()
        }
    }

    /// Nothing is to be done, or nothing can be.
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
        let sleeps = mailbox.goToSleep(wokenBy: sockets.inlet)
        sockets.wait(until: sleeps ? min(nextDeadline, curlDeadline ?? .max) : 0, from: now, onAwake: wakeUp) { socket, interest in
            call(socket, (interest.contains(.read) ? CURL_CSELECT_IN : 0) | (interest.contains(.write) ? CURL_CSELECT_OUT : 0))
        }
        if nextDeadline <= now { checkDeadlines() }
    }

    private func wakeUp() {
        mailbox.wakeUp()
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
        guard !transfer.isOver else { return }
        do throws(TransportError) {
            try transfer.request.validate(for: transfer.origin)
            watchDeadline(of: transfer)
            if queues.enter(transfer) { try perform(transfer) }
        } catch {
            fail(transfer, error)
        }
    }

    private func perform(_ transfer: CurlTransfer) throws(TransportError) {
        // At the last try there may have been no descriptor for it.
        if multi == nil { open() }
        guard let multi, let easy = idleHandles.popLast() ?? CurlEasy() else {
            throw .cannotConnect(url: redacted(transfer.request.url), reason: "the system has no descriptor or no memory left")
        }
        try easy.configure(for: transfer, configuration)
        transfer.easy = easy
        transfers[easy.handle] = transfer
        let code = curl_multi_add_handle(multi, easy.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl refuses", url: redacted(transfer.request.url)) }
    }

    /// Takes the transfer's handle out of libcurl, which closes the connection if the response was not read to its end, and lets the next go.
    ///
    /// - Parameter isIntact: whether the response came to its good end.
    private func release(_ transfer: CurlTransfer, isIntact: Bool = false) {
        detach(transfer, isIntact: isIntact)
        var leaving = transfer
        while let next = queues.leave(leaving) {
            do throws(TransportError) {
                return try perform(next)
            } catch {
                detach(next)
                outbox.add(.failure(error), for: next)
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
        guard !transfer.isOver else { return }
        release(transfer)
        outbox.add(.failure(error), for: transfer)
    }

    private func resume(_ transfer: CurlTransfer) {
        guard !transfer.isOver, let easy = transfer.easy else { return }
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

/// What drives libcurl.
extension CurlEngine {
    private func call(_ socket: Int32, _ events: Int) {
        guard let multi else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, Int32(events), &running)
    }

    /// Brings everything that libcurl was just told to its end: due timeouts, finished transfers, events to deliver.
    private func settle() {
        while true {
            readMessages()
            deliverOutbox()
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

    private func deliverOutbox() {
        while !outbox.isEmpty || !heldUp.isEmpty {
            let held = heldUp
            heldUp = []
            outbox.deliver()
            now = Deadline.now
            for transfer in held where !transfer.isPaused { resume(transfer) }
        }
    }
}
