internal import CLibcurl
import Dispatch
import Foundation
import Streams

/// One request performed by a ``CurlEngine``, including redirects.
///
/// Sound: everything except `terminate` is confined to the engine's thread.
final class CurlTransfer: @unchecked Sendable {
    let engine: CurlEngine
    let outlet: TransferOutlet
    /// The collector that receives head and body directly, if they need not be delivered incrementally.
    let collector: ResponseCollector?
    private let mark = Resources.Mark("CurlTransfer")
    private(set) var request: HTTPRequest
    /// The origin of the current request.
    private(set) var origin: Origin
    /// The place of the transfer in the queue of its host.
    var place: HostQueues.Place?
    /// The local port of the connection; 0 while there is none.
    @exclusivity(unchecked) private(set) var localPort: UInt16 = 0
    /// Whether nothing was sent because the connection had unexpected input.
    @exclusivity(unchecked) private var isConnectionRejected = false
    @exclusivity(unchecked) private var sending: RequestSending
    /// libcurl's message that explains the end of a connection on which the request must not be repeated.
    private var lossMessage: String?
    /// The handle of this transfer, while it is running.
    @exclusivity(unchecked) var easy: CurlEasy?
    private(set) var redirectHistory: [Redirection] = []
    var redirects: Int { redirectHistory.count }
    /// The age at which the last redirect was followed.
    private(set) var redirecting: Duration?
    @exclusivity(unchecked) var received: Int64 = 0
    /// The result that replaces the response, once known: the request of a redirect, or an error.
    var outcome: Result<HTTPRequest, TransportError>?
    /// The state that decompresses the body, if the body is delivered while it is received.
    private(set) var gzip: GzipBody?
    /// The last event, which waits until all received bytes are decompressed.
    var heldEnd: TransferOutlet.Event?
    /// Whether nothing can be sent until the stream of the body has more bytes; this time does not count as idle.
    var isAwaitingBody = false
    /// The stream of a body that is announced as empty, until it has ended: libcurl reads no byte of it.
    var emptyBody: CurlBodyStream?
    /// Whether the transfer waits for the next turn of the engine.
    var isBlocked = false
    private let startedAt = MonotonicTime.now
    @exclusivity(unchecked) private var lastActivity: UInt64?
    @exclusivity(unchecked) private var head = ResponseHeadParser()
    private var lastProgress: Int64 = 0
    @exclusivity(unchecked) private var headerSize = 0
    /// The `errno` of the last socket that could not be created; 0 if there is none.
    private(set) var socketError: Int32 = 0
    /// The maximum size of the body, in bytes.
    let maximumBodySize: Int

    /// - Parameter collector: receives the head and the body, which are then not delivered.
    init(_ request: HTTPRequest, engine: CurlEngine, collector: ResponseCollector? = nil, outlet: TransferOutlet) {
        self.collector = collector
        maximumBodySize = collector?.maximumBodySize ?? request.limits.maximumBodySize ?? .max
        self.request = request
        sending = RequestSending(request)
        origin = Origin(request.url)
        self.engine = engine
        self.outlet = outlet
    }

    /// Whether the body is delivered while it is received.
    var isStreamed: Bool { collector == nil }

    /// Whether the transfer has terminated.
    var isTerminated: Bool { outlet.isTerminated }

    /// Terminates the transfer, from any thread, and returns whether this call did so.
    func terminate() -> Bool { outlet.terminate() }

    /// Whether nothing is read until the subscriber is no longer suspended.
    var isParked: Bool { outlet.isParked }

    /// Delivers an event as soon as the subscriber is not suspended, unless the transfer has terminated.
    func deliver(_ event: TransferOutlet.Event) {
        outlet.deliver(event)
        parkIfSuspended()
    }

    func parkIfSuspended() {
        if outlet.mustPark { outlet.park { [self] in engine.resume(self) } }
    }

    /// Continues after a suspension.
    func didResume() {
        outlet.didResume()
        parkIfSuspended()
    }

    /// The time since the transfer began, including redirects.
    var age: Duration { .nanoseconds(Int64(MonotonicTime.now - startedAt)) }

    /// The next deadline of the transfer's timeouts; `.max` if there is none. libcurl handles the connect timeout.
    var deadline: UInt64 {
        let total = request.timeouts.total.map { startedAt.advanced(by: $0) } ?? .max
        guard let idle = request.timeouts.idle, let lastActivity, !isParked, !isAwaitingBody else { return total }
        return min(total, lastActivity.advanced(by: idle))
    }

    /// Returns the timeout that has expired.
    func expired(at now: UInt64) -> TransportError? {
        let url = redacted(request.url)
        if let total = request.timeouts.total, startedAt.advanced(by: total) <= now { return .timedOut(.total, after: total, url: url) }
        if !isParked, !isAwaitingBody, let idle = request.timeouts.idle, let lastActivity, lastActivity.advanced(by: idle) <= now {
            return .timedOut(.idle, after: idle, url: url)
        }
        return nil
    }

    /// Returns whether the body has as many bytes as are announced, as far as that has to be known before anything is sent. If not yet, the
    /// engine is called when it is.
    func hasConfirmedBody() throws(TransportError) -> Bool {
        guard case .stream(let stream) = request.body, stream.length == 0 else { return true }
        let body = emptyBody ?? CurlBodyStream(stream, of: self)
        emptyBody = body
        switch body.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) {
        case .pause: return false
        case .bytes: request.body = .data(Data())
        case .abort: break
        }
        emptyBody = nil
        guard case .failure(let error)? = outcome else { return true }
        throw error
    }

    /// Continues with the request of a redirect, or with the same request on another connection.
    func follow(_ next: HTTPRequest) {
        if isConnectionRejected {
            isConnectionRejected = false
        } else {
            redirectHistory.append(Redirection(status: head.status, url: request.url))
            redirecting = age
        }
        request = next
        origin = Origin(next.url)
        sending = RequestSending(next)
        outcome = nil
        gzip = nil
        isAwaitingBody = false
        head = ResponseHeadParser()
        lastActivity = nil
        received = 0
        headerSize = 0
        lastProgress = 0
    }
}

/// The callbacks of libcurl's easy handle.
extension CurlTransfer {
    /// Creates a socket for a connection.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        guard maySend() else { return curl_socket_t(CURL_SOCKET_BAD) }
        if origin.scheme == "https" { engine.multi?.watchCalls() }
        let socket = engine.multi?.sockets.open(address, isExclusive: origin.scheme == "http") ?? curl_socket_t(CURL_SOCKET_BAD)
        if socket == curl_socket_t(CURL_SOCKET_BAD) { socketError = errno }
        return socket
    }

    /// Returns whether the request may be sent on the connection with this local port, for the first time or again.
    func shouldSend(fromPort port: Int32) -> Bool {
        guard maySend() else { return false }
        localPort = UInt16(truncatingIfNeeded: port)
        let connections = easy?.number(CURLINFO_NUM_CONNECTS) ?? 0
        // A new Unix socket must not be rejected for the input of another one.
        let isSuspect = localPort != 0 || connections == 0
        isConnectionRejected = isSuspect && engine.multi?.sockets.hasUnexpectedInput(atPort: localPort) == true
        guard !isConnectionRejected else { return false }
        engine.multi?.didChoose(port: localPort)
        if let limit = engine.configuration.maximumRequestsPerConnection, let sockets = engine.multi?.sockets,
            sockets.countRequest(atPort: localPort) >= limit
        {
            easy?.closeConnectionAfterwards()
        }
        didConnect(connections: connections)
        return true
    }

    /// Whether libcurl may send the request, possibly again.
    private func maySend() -> Bool {
        if sending.allow() { return true }
        lossMessage = lossMessage ?? easy?.errorText.message
        return false
    }

    /// Whether at least a part of the request has been sent.
    var isSent: Bool { sending.hasBegun }

    /// - Parameter connections: the number of connections made for the request.
    func didConnect(connections: Int) {
        recordActivity()
        if collector == nil, !isSent { engine.enqueue(.sent, for: self) }
        sending.begin(connections: connections)
    }

    /// Whether a complete head has been received.
    var hasHead: Bool { head.isComplete }

    /// Returns the error of a lost connection.
    func connectionLost(_ reason: String) -> TransportError {
        let remark = sending.isCritical ? "; the server may have received the request" : ""
        return .connectionLost(url: redacted(request.url), reason: reason + remark)
    }

    /// - Returns: whether libcurl should continue.
    func didReceiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        recordActivity()
        headerSize += line.count
        do throws(MalformedHead) {
            let limit = request.limits.maximumHeaderSize
            guard headerSize <= limit else { throw MalformedHead(reason: "its header is longer than \(limit) bytes") }
            guard try head.consume(line) else { return true }
        } catch {
            outcome = .failure(.malformedResponse(url: redacted(request.url), reason: error.reason))
            return false
        }
        return completeHead()
    }

    private func completeHead() -> Bool {
        do throws(TransportError) {
            if let next = try Redirect.next(after: request, status: head.status, headers: head.headers, count: redirects) {
                outcome = .success(next)
                return true
            }
        } catch {
            outcome = .failure(error)
            return true
        }
        let complete = HTTPResponseHead(status: head.status, headers: head.headers, url: request.url)
        if let length = complete.expectedLength, length > maximumBodySize, mayHaveBody {
            failForSize()
            return false
        }
        // libcurl sends no more to a server that has refused the request, but it would wait for the body.
        if head.status >= 300, isAwaitingBody { engine.continueSending(self) }
        guard let collector else {
            guard !mayHaveBody || prepareDecoding(complete.headers) else { return false }
            engine.enqueue(.head(complete), for: self)
            return true
        }
        collector.begin(with: complete)
        return true
    }

    /// Whether the response may have a body; otherwise header fields may still describe one.
    private var mayHaveBody: Bool { request.method != .head && head.status != 304 }

    /// Returns whether the body can be delivered as the response announces it.
    private func prepareDecoding(_ headers: HTTPHeaders) -> Bool {
        guard request.asksForGzip else { return true }
        let coding = (headers["Content-Encoding"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
        switch coding {
        case "", "identity": return true
        case "gzip", "x-gzip", "deflate": gzip = GzipBody()
        default: break
        }
        guard gzip == nil else { return true }
        let reason = "it is encoded with \"\(coding.escapedForDisplay)\", which was not asked for"
        outcome = .failure(.undecodableBody(url: redacted(request.url), reason: reason))
        return false
    }

    func failForSize() {
        outcome = .failure(.bodyTooLarge(limit: maximumBodySize, url: redacted(request.url)))
    }

    /// Returns the next request or the error that replaces the response, when libcurl has finished: libcurl accepts a connection that was
    /// closed within a head.
    func outcome(after code: CURLcode) -> Result<HTTPRequest, TransportError>? {
        // libcurl has closed the connection. Only existing ones can be rejected: a new one has no unexpected input.
        if isConnectionRejected, code == CURLE_ABORTED_BY_CALLBACK { return .success(request) }
        if sending.isLost(after: code) {
            let message = lossMessage ?? "Empty reply from server"
            return .failure(TransportError(CURLE_RECV_ERROR, message: message, systemError: 0, transfer: self))
        }
        if outcome == nil, code == CURLE_OK, head.isComplete, isDrained, gzip?.isIncomplete == true { failForDamage() }
        guard outcome == nil, code == CURLE_OK, !head.isComplete else { return outcome }
        return .failure(connectionLost("it was closed before the header was complete"))
    }

    func didSend(_ count: Int64, of total: Int64) {
        guard count != lastProgress else { return }
        lastProgress = count
        recordActivity()
        guard collector == nil else { return }
        engine.enqueue(.progress(TransferProgress(completed: count, total: total > 0 ? total : nil)), for: self)
    }

    /// Notes that reading continues. The pause does not count towards the idle timeout.
    func didUnblock() {
        if lastActivity != nil { lastActivity = engine.now }
        decompress()
    }

    /// Notes that the body has more bytes.
    func didAwaitBody() {
        isAwaitingBody = false
        if lastActivity != nil { lastActivity = engine.now }
        engine.watchDeadline(of: self)
    }

    func recordActivity() {
        guard request.timeouts.idle != nil else { return }
        let isFirst = lastActivity == nil
        lastActivity = engine.now
        if isFirst { engine.watchDeadline(of: self) }
    }
}
