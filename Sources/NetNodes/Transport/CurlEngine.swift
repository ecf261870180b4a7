internal import CLibcurl
import Dispatch
import Foundation
internal import SocketPolling

/// Runs transfers on one multi handle of libcurl, which a Dispatch source on all its sockets and one timer tell what happened.
///
/// All state is confined to `queue`: that makes the unchecked conformance sound. Callers come in through `start`, `cancel` and `shutDown`
/// only. Events are delivered on the queue too, but never from inside libcurl.
final class CurlEngine: @unchecked Sendable {
    /// Idle easy handles that are kept for the next requests.
    private static let idleHandleLimit = 16

    private let queue = DispatchQueue(label: "NetNodes.CurlEngine", qos: .userInitiated)
    private let configuration: CurlTransport.Configuration
    /// `nil` if libcurl cannot be used, and after the shutdown.
    private var multi: OpaquePointer?
    /// Both are made with the first transfer.
    private var timer: DeadlineTimer?
    private var poller: SocketPoller?
    private var transfers: [OpaquePointer: CurlTransfer] = [:]
    private var idleHandles: [CurlEasy] = []
    private var outbox: [(CurlTransfer, Result<TransferEvent, TransportError>)] = []
    /// When libcurl wants to be called although no socket has anything to tell.
    private var curlDeadline: UInt64?
    private var isShutDown = false

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        multi = globalInitialization == CURLE_OK ? curl_multi_init() : nil
        guard let multi else { return }
        installCallbacks(in: multi)
        clibcurl_multi_set_long(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
        clibcurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        clibcurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections)
        clibcurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
    }

    /// Begins a transfer. Callable from any thread.
    func start(_ transfer: CurlTransfer) {
        queue.async { self.begin(transfer) }
    }

    /// Ends a transfer without a further event. Callable from any thread.
    func cancel(_ transfer: CurlTransfer) {
        guard transfer.end() else { return }
        queue.async {
            self.release(transfer)
            self.settle()
        }
    }

    /// Lets go of all connections as soon as no transfer runs any more.
    func shutDown() {
        queue.async {
            self.isShutDown = true
            self.closeIfDone()
        }
    }

    /// Keeps an event until libcurl has returned.
    func post(_ event: TransferEvent, for transfer: CurlTransfer) {
        outbox.append((transfer, .success(event)))
    }

    /// Sees to it that the transfer's limits are looked at in time.
    func watchDeadline(of transfer: CurlTransfer) {
        let deadline = transfer.deadline
        if deadline != .max { timer?.arm(deadline) }
    }
}

/// The life of a transfer.
extension CurlEngine {
    private func begin(_ transfer: CurlTransfer) {
        guard !transfer.isOver else { return }
        wakeUp()
        perform(transfer)
        settle()
    }

    /// The handlers are gone before the engine: it shuts down first.
    private func wakeUp() {
        guard timer == nil else { return }
        timer = DeadlineTimer(queue: queue) { [unowned self] in timerFired() }
        poller = SocketPoller(queue: queue) { [unowned self] in socketsAreReady() }
    }

    private func perform(_ transfer: CurlTransfer) {
        do throws(TransportError) {
            try transfer.request.validate()
            guard let multi, let easy = idleHandles.popLast() ?? CurlEasy() else {
                throw .other(code: 0, reason: "libcurl has no handle left", url: redacted(transfer.request.url))
            }
            try easy.configure(for: transfer, configuration)
            transfer.easy = easy
            transfers[easy.handle] = transfer
            let code = curl_multi_add_handle(multi, easy.handle)
            guard code == 0 else { throw .other(code: Int(code), reason: "libcurl refuses", url: redacted(transfer.request.url)) }
            watchDeadline(of: transfer)
        } catch {
            fail(transfer, error)
        }
    }

    /// Takes the transfer's handle out of libcurl, which closes the connection if the response was not read to its end.
    private func release(_ transfer: CurlTransfer) {
        guard let easy = transfer.easy, let multi else { return }
        transfer.easy = nil
        curl_multi_remove_handle(multi, easy.handle)
        transfers[easy.handle] = nil
        guard idleHandles.count < Self.idleHandleLimit else { return }
        easy.reset()
        idleHandles.append(easy)
    }

    private func fail(_ transfer: CurlTransfer, _ error: TransportError) {
        guard !transfer.isOver else { return }
        release(transfer)
        outbox.append((transfer, .failure(error)))
    }

    private func complete(_ handle: OpaquePointer, _ code: CURLcode) {
        guard let transfer = transfers[handle], let easy = transfer.easy else { return }
        switch transfer.following {
        case .success(let next):
            release(transfer)
            transfer.follow(next)
            perform(transfer)
        case .failure(let error): fail(transfer, error)
        case nil where code == CURLE_OK:
            post(.end(easy.metrics(of: transfer)), for: transfer)
            release(transfer)
        case nil:
            fail(transfer, TransportError(code, message: easy.errorMessage(code), systemError: easy.systemError, transfer: transfer))
        }
    }
}

/// What drives libcurl.
extension CurlEngine {
    private func timerFired() {
        timer?.hasFired()
        let now = DeadlineTimer.now
        for transfer in transfers.values {
            if let error = transfer.expired(at: now) { fail(transfer, error) } else { watchDeadline(of: transfer) }
        }
        settle()
    }

    private func socketsAreReady() {
        poller?.forEachReady { socket, interest in
            var events = interest.contains(.read) ? CURL_CSELECT_IN : 0
            if interest.contains(.write) { events |= CURL_CSELECT_OUT }
            call(socket, events)
        }
        settle()
    }

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
            guard let deadline = curlDeadline else { break }
            guard deadline <= DeadlineTimer.now else {
                timer?.arm(deadline)
                break
            }
            curlDeadline = nil
            call(Int32(CURL_SOCKET_TIMEOUT), 0)
        }
        closeIfDone()
    }

    private func readMessages() {
        var left: Int32 = 0
        while let multi, let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
            complete(handle, message.data.result)
        }
    }

    private func deliverOutbox() {
        while !outbox.isEmpty {
            let batch = outbox
            outbox.removeAll(keepingCapacity: true)
            for (transfer, event) in batch { transfer.deliver(event) }
        }
    }

    private func closeIfDone() {
        guard isShutDown, transfers.isEmpty, let multi else { return }
        self.multi = nil
        idleHandles.removeAll()
        curl_multi_cleanup(multi)
        timer?.cancel()
        poller?.cancel()
    }
}

/// What libcurl asks for.
extension CurlEngine {
    /// The engine is the context of all callbacks; it outlives the multi handle, which only `closeIfDone` frees.
    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func installCallbacks(in multi: OpaquePointer) {
        clibcurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        clibcurl_multi_set_socket(multi) { _, socket, what, context, _ in
            engineOf(context)?.wants(Int(what), of: socket)
            return 0
        }
        clibcurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        clibcurl_multi_set_timer(multi) { _, milliseconds, context in
            engineOf(context)?.curlDeadline = milliseconds < 0 ? nil : DeadlineTimer.now.advanced(by: .milliseconds(milliseconds))
            return 0
        }
    }

    private func wants(_ what: Int, of socket: Int32) {
        switch what {
        case CURL_POLL_IN: poller?.watch(socket, for: .read)
        case CURL_POLL_OUT: poller?.watch(socket, for: .write)
        case CURL_POLL_INOUT: poller?.watch(socket, for: [.read, .write])
        default: poller?.watch(socket, for: [])
        }
    }
}

private func engineOf(_ context: UnsafeMutableRawPointer?) -> CurlEngine? {
    context.map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
}

private let globalInitialization = curl_global_init(CURL_GLOBAL_DEFAULT)
