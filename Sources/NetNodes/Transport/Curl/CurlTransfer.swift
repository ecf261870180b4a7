internal import CLibcurl
import Dispatch
import Foundation
import Streams
import Synchronization

/// One request performed by the ``CurlLoops`` of a transport, including redirects.
///
/// Sound: everything is confined to the thread of its loop, except `terminate`, `loop`, and what is said to be under the lock of
/// ``LoopTraffic``. Until it has a loop, it is in the queues of that.
final class CurlTransfer: @unchecked Sendable {
    let loops: CurlLoops
    /// The loop that runs it, on the thread of that.
    @exclusivity(unchecked) private(set) var engine: CurlEngine
    private let assigned = Atomic(-1)
    let outlet: TransferOutlet
    /// The collector that receives head and body directly, if they need not be delivered incrementally.
    let collector: ResponseCollector?
    private let mark = Resources.Mark("CurlTransfer")
    @exclusivity(unchecked) private(set) var request: HTTPRequest
    /// The origin of the current request.
    @exclusivity(unchecked) private(set) var origin: Origin
    /// The place among the transfers of the transport. It changes under the lock, and while the transfer waits by any thread.
    @exclusivity(unchecked) var place: LoopTraffic.Place?
    /// Whether the transport had been shut down when the transfer started.
    @exclusivity(unchecked) var isRefused = false
    @exclusivity(unchecked) private var sending: RequestSending
    /// The handle of this transfer, while it is running.
    @exclusivity(unchecked) var easy: CurlEasy?
    @exclusivity(unchecked) private(set) var redirectHistory: [HTTPResponse.Redirection] = []
    var redirects: Int { redirectHistory.count }
    /// The age at which the last redirect was followed.
    @exclusivity(unchecked) private(set) var redirecting: Duration?
    @exclusivity(unchecked) var received: Int64 = 0
    /// The result that replaces the response, once known: the request of a redirect, or an error.
    @exclusivity(unchecked) var outcome: Result<HTTPRequest, TransportError>?
    /// The state that decompresses the body, if the body is delivered while it is received.
    @exclusivity(unchecked) private(set) var gzip: GzipBody?
    /// The last event, which waits until all received bytes are decompressed.
    @exclusivity(unchecked) var heldEnd: TransferOutlet.Event?
    /// Whether nothing can be sent until the stream of the body has more bytes; this time does not count as idle.
    @exclusivity(unchecked) var isAwaitingBody = false
    /// The stream of a body that is announced as empty, until it has ended: libcurl reads no byte of it.
    @exclusivity(unchecked) var emptyBody: CurlBodyStream?
    /// Whether the transfer waits for the next turn of the engine.
    @exclusivity(unchecked) var isBlocked = false
    @exclusivity(unchecked) private var clock = TransferClock()
    @exclusivity(unchecked) private var head = ResponseHeadParser()
    private var lastProgress: Int64 = 0
    /// The `errno` of the last socket that could not be created; 0 if there is none.
    private(set) var socketError: Int32 = 0
    /// The maximum size of the body, in bytes.
    let maximumBodySize: Int

    /// - Parameter collector: receives the head and the body, which are then not delivered.
    init(_ request: HTTPRequest, in loops: CurlLoops, collector: ResponseCollector? = nil, outlet: TransferOutlet) {
        self.collector = collector
        maximumBodySize = collector?.maximumBodySize ?? request.limits.maximumBodySize ?? .max
        self.request = request
        sending = RequestSending(request)
        origin = Origin(request.url)
        self.loops = loops
        engine = loops.engines[0]
        self.outlet = outlet
    }

    /// The number of the loop that runs it, from any thread. It changes under the lock, or else on the thread of the previous loop.
    var loop: Int { assigned.load(ordering: .acquiring) }

    var hasLoop: Bool { loop >= 0 }

    /// Gives it to a loop, whose thread gets a message then.
    func move(to loop: Int) {
        engine = loops.engines[loop]
        assigned.store(loop, ordering: .releasing)
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
        if outlet.mustPark { outlet.park { [self] in loops.post(self, startsThread: true) { $0.didResume($1) } } }
    }

    /// Continues after a suspension.
    func didResume() {
        outlet.didResume()
        parkIfSuspended()
    }

    /// The time since the transfer began, including redirects.
    var age: Duration { clock.age }

    /// The next deadline of the transfer's timeouts; `.max` if there is none.
    var deadline: UInt64 { clock.deadline(request.timeouts, countsIdle: countsIdle) }

    /// Returns the timeout that has expired.
    func expired(at now: UInt64) -> TransportError? {
        clock.expired(at: now, request.timeouts, countsIdle: countsIdle).map { .timedOut($0, after: $1, url: request.redactedURL) }
    }

    private var countsIdle: Bool { !isParked && !isAwaitingBody }

    /// Returns whether the body has as many bytes as are announced, as far as that has to be known before anything is sent. If not yet, the
    /// engine is called when it is.
    func confirmBody() throws(TransportError) -> Bool {
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
        if !sending.isConnectionRejected {
            redirectHistory.append(HTTPResponse.Redirection(status: head.status, url: request.url))
            redirecting = age
        }
        request = next
        origin = Origin(next.url)
        sending = RequestSending(next)
        outcome = nil
        gzip = nil
        isAwaitingBody = false
        head = ResponseHeadParser()
        clock.beginRequest()
        received = 0
        lastProgress = 0
    }
}

/// The callbacks of libcurl's easy handle.
extension CurlTransfer {
    /// Creates a socket for a connection.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        guard allowSending() else { return curl_socket_t(CURL_SOCKET_BAD) }
        if origin.scheme == "https" { engine.multi?.watchCalls() }
        let socket = engine.multi?.sockets.open(address, isExclusive: origin.scheme == "http") ?? curl_socket_t(CURL_SOCKET_BAD)
        if socket == curl_socket_t(CURL_SOCKET_BAD) { socketError = errno } else { engine.connections.didOpen(socket, for: place) }
        return socket
    }

    /// Returns whether the request may be sent on the connection with this local port, for the first time or again.
    func approveSending(fromPort port: Int32) -> Bool {
        guard allowSending() else { return false }
        sending.localPort = UInt16(truncatingIfNeeded: port)
        let connections = easy?.number(CURLINFO_NUM_CONNECTS) ?? 0
        // A new Unix socket must not be rejected for the input of another one.
        let isSuspect = localPort != 0 || connections == 0
        sending.isConnectionRejected = isSuspect && engine.multi?.sockets.hasUnexpectedInput(atPort: localPort) == true
        guard !sending.isConnectionRejected else { return false }
        engine.multi?.didChoose(port: localPort)
        if let limit = engine.configuration.maximumRequestsPerConnection, let sockets = engine.multi?.sockets,
            sockets.countRequest(atPort: localPort) >= limit
        {
            easy?.closeConnectionAfterwards()
        }
        if place?.givesUpConnection == true { easy?.closeConnectionAfterwards() }
        didConnect(connections: connections)
        return true
    }

    /// Whether libcurl may send the request, possibly again.
    private func allowSending() -> Bool { sending.allow(easy?.errorText.message) }

    /// The local port of the connection; 0 while there is none.
    var localPort: UInt16 { sending.localPort }

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
        return .connectionLost(url: request.redactedURL, reason: reason + remark)
    }

    /// - Returns: whether libcurl should continue.
    func didReceiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        recordActivity()
        do throws(MalformedHead) {
            guard try head.consume(line, maximumSize: request.limits.maximumHeaderSize) else { return true }
        } catch {
            outcome = .failure(.malformedResponse(url: request.redactedURL, reason: error.reason))
            return false
        }
        return completeHead()
    }

    private func completeHead() -> Bool {
        if origin.scheme == "https", let easy { loops.didReceiveHead(of: self, isExclusive: easy.isExclusive) }
        do throws(TransportError) {
            if let next = try Redirect.next(after: request, status: head.status, headers: head.headers, count: redirects) {
                outcome = .success(next)
                return true
            }
        } catch {
            outcome = .failure(error)
            return true
        }
        let complete = HTTPResponse.Head(status: head.status, headers: head.headers, url: request.url)
        let length = complete.expectedLength
        if let length, length > maximumBodySize, mayHaveBody {
            failForSize()
            return false
        }
        // libcurl sends no more to a server that has refused the request, but it would wait for the body.
        if head.status >= 300, isAwaitingBody { continueSending() }
        guard let collector else {
            do throws(TransportError) {
                if mayHaveBody, request.asksForGzip { gzip = try GzipBody.decoder(of: complete) }
            } catch {
                outcome = .failure(error)
                return false
            }
            engine.enqueue(.head(complete), for: self)
            return true
        }
        collector.begin(with: complete, expectedLength: length)
        return true
    }

    /// Whether the response may have a body; otherwise header fields may still describe one.
    private var mayHaveBody: Bool { request.method != .head && head.status != 304 }

    /// Returns the next request or the error that replaces the response, when libcurl has finished: libcurl accepts a connection that was
    /// closed within a head.
    func outcome(after code: CURLcode) -> Result<HTTPRequest, TransportError>? {
        // libcurl has closed the connection. Only existing ones can be rejected: a new one has no unexpected input.
        if sending.isConnectionRejected, code == CURLE_ABORTED_BY_CALLBACK { return .success(request) }
        if let loss = sending.loss(after: code) {
            return .failure(TransportError(CURLE_RECV_ERROR, message: loss, systemError: 0, transfer: self))
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
        engine.enqueue(.progress(TransferEvent.Progress(completed: count, total: total > 0 ? total : nil)), for: self)
    }

    /// Notes that reading continues. The pause does not count towards the idle timeout.
    func didUnblock() {
        clock.endPause(at: engine.now)
        decompress()
    }

    /// Continues when the body has more bytes, or needs no more. Thread-safe.
    func continueSending() { loops.post(self) { $0.didAwaitBody(of: $1) } }

    /// Notes that the body has more bytes.
    func didAwaitBody() {
        isAwaitingBody = false
        clock.endPause(at: engine.now)
        engine.watchDeadline(of: self)
    }

    func recordActivity() {
        guard request.timeouts.idle != nil else { return }
        if clock.recordActivity(at: engine.now) { engine.watchDeadline(of: self) }
    }
}
