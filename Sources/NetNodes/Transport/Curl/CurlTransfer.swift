internal import CLibcurl
import Dispatch
import Foundation
import Streams
import Synchronization

/// One request on its way through a ``CurlEngine``, redirects included.
///
/// Everything but `end` and `setPaused` is confined to the engine's thread: that makes the unchecked conformance sound.
final class CurlTransfer: @unchecked Sendable {
    /// A redirect's body is not wanted: a longer one than this is not worth waiting for.
    private static let longestIgnoredBody = 64 * 1024
    /// What may wait until libcurl has returned: it reads for megabytes on end, and a pause takes effect only then.
    private static let undeliveredLimit = 256 * 1024

    let engine: CurlEngine
    private let receive: TransferDelivery
    /// Takes head and body at once, where nobody wants to see them come.
    private let collector: ResponseCollector?
    private let counting = ResourceCounting()
    private let mark = Resources.Mark("CurlTransfer")
    private let ended = Atomic(false)
    private let paused = Atomic(false)
    private(set) var request: HTTPRequest
    /// Where the request goes.
    private(set) var origin: Origin
    /// Among the others that go there.
    var place: HostQueues.Place?
    /// The port on this side of the connection, or 0 while there is none.
    @exclusivity(unchecked) private(set) var localPort: UInt16 = 0
    /// Whether nothing was sent because the connection was not clean.
    @exclusivity(unchecked) private var isRefusedConnection = false
    /// The handle that works for this transfer, while it runs.
    @exclusivity(unchecked) var easy: CurlEasy?
    private(set) var redirects = 0
    @exclusivity(unchecked) private(set) var received: Int64 = 0
    /// What follows in place of the response, as far as is known: the request that a redirect leads to, or an error.
    private var outcome: Result<HTTPRequest, TransportError>?
    private let startedAt = Deadline.now
    @exclusivity(unchecked) private var lastSignOfLife: UInt64?
    @exclusivity(unchecked) private var head = ResponseHeadParser()
    private var lastProgress: Int64 = 0
    @exclusivity(unchecked) private var headerSize = 0
    /// The `errno` of the last socket that the system did not give, or 0.
    private(set) var socketError: Int32 = 0
    /// How much of the body is taken, in bytes.
    private let maximumBodySize: Int
    @exclusivity(unchecked) private var undelivered = 0

    /// - Parameter collector: gets the head and the body, which are not delivered then.
    init(_ request: HTTPRequest, engine: CurlEngine, collector: ResponseCollector? = nil, deliver: @escaping TransferDelivery) {
        self.collector = collector
        maximumBodySize = collector?.maximumBodySize ?? request.limits.maximumBodySize ?? .max
        self.request = request
        origin = Origin(request.url)
        self.engine = engine
        receive = deliver
    }

    /// Whether nothing more is to be delivered.
    var isOver: Bool { ended.load(ordering: .acquiring) }

    /// Ends the transfer, from any thread, and says whether it was this call that did: dispose and the last event race for it.
    func end() -> Bool {
        !ended.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Whether bytes of the body are to wait.
    var isPaused: Bool { paused.load(ordering: .acquiring) }

    /// Says from any thread whether bytes of the body are to wait, and gives whether that is new.
    func setPaused(_ isPaused: Bool) -> Bool {
        paused.exchange(isPaused, ordering: .acquiringAndReleasing) != isPaused
    }

    /// Hands an event on, unless the transfer is over.
    func deliver(_ event: Result<TransferEvent, TransportError>) {
        if case .success(.chunk(let data)) = event { undelivered -= data.count }
        guard event.isTerminal ? end() : !isOver else { return }
        counting { receive(event) }
    }

    /// Nanoseconds since the transfer began, redirects included.
    var age: Duration { .nanoseconds(Int64(Deadline.now - startedAt)) }

    /// When the next of the transfer's own limits passes, `.max` if there is none. Connecting is timed by libcurl.
    var deadline: UInt64 {
        let total = request.timeouts.total.map { startedAt.advanced(by: $0) } ?? .max
        guard let idle = request.timeouts.idle, let lastSignOfLife, !isPaused else { return total }
        return min(total, lastSignOfLife.advanced(by: idle))
    }

    /// The limit that has passed.
    func expired(at now: UInt64) -> TransportError? {
        let url = redacted(request.url)
        if let total = request.timeouts.total, startedAt.advanced(by: total) <= now { return .timedOut(.total, after: total, url: url) }
        if !isPaused, let idle = request.timeouts.idle, let lastSignOfLife, lastSignOfLife.advanced(by: idle) <= now {
            return .timedOut(.idle, after: idle, url: url)
        }
        return nil
    }

    /// Goes on with the request that a redirect led to, or with the same on another connection.
    func follow(_ next: HTTPRequest) {
        request = next
        origin = Origin(next.url)
        if isRefusedConnection { isRefusedConnection = false } else { redirects += 1 }
        outcome = nil
        head = ResponseHeadParser()
        lastSignOfLife = nil
        received = 0
        headerSize = 0
        lastProgress = 0
    }
}

/// What libcurl tells while it works.
extension CurlTransfer {
    /// A new socket for a connection.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        let socket = engine.sockets?.open(address, isExclusive: origin.scheme == "http") ?? curl_socket_t(CURL_SOCKET_BAD)
        if socket == curl_socket_t(CURL_SOCKET_BAD) { socketError = errno }
        return socket
    }

    /// Whether the request, of which nothing is sent yet, is to be sent on the connection with this local port, or on another.
    func shouldSend(fromPort port: Int32) -> Bool {
        localPort = UInt16(truncatingIfNeeded: port)
        isRefusedConnection = engine.sockets?.hasUnexpectedInput(atPort: localPort) == true
        guard !isRefusedConnection else { return false }
        isConnected()
        return true
    }

    func isConnected() {
        noteSignOfLife()
        if collector == nil { engine.post(.sent, for: self) }
    }

    /// - Returns: whether libcurl shall go on.
    func hasHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        noteSignOfLife()
        headerSize += line.count
        do throws(MalformedHead) {
            guard headerSize <= request.limits.maximumHeaderSize else { throw .tooLarge(limit: request.limits.maximumHeaderSize) }
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
        if let length = complete.expectedLength, length > maximumBodySize, request.method != .head, head.status != 304 {
            failForSize()
            return false
        }
        if let collector { collector.begin(with: complete) } else { engine.post(.head(complete), for: self) }
        return true
    }

    private func failForSize() {
        outcome = .failure(.bodyTooLarge(limit: maximumBodySize, url: redacted(request.url)))
    }

    /// The request that follows, or the error, in place of the response, when libcurl has ended: it finds no fault with a connection that is closed within a head.
    func outcome(after code: CURLcode) -> Result<HTTPRequest, TransportError>? {
        // libcurl has closed the connection. There are only so many to refuse: a new one has nothing on it.
        if isRefusedConnection, code == CURLE_ABORTED_BY_CALLBACK { return .success(request) }
        guard outcome == nil, code == CURLE_OK, !head.isComplete else { return outcome }
        return .failure(.connectionLost(url: redacted(request.url), reason: "it was closed before the header was complete"))
    }

    /// What becomes of bytes.
    enum Reception {
        case taken
        /// libcurl keeps them, and takes no more from the network.
        case later
        /// libcurl shall give up.
        case unwanted
    }

    func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard !isPaused else { return .later }
        guard undelivered < Self.undeliveredLimit else {
            engine.holdUp(self)
            return .later
        }
        noteSignOfLife()
        received += Int64(bytes.count)
        guard outcome == nil else { return received <= Self.longestIgnoredBody ? .taken : .unwanted }
        guard received <= maximumBodySize else {
            failForSize()
            return .unwanted
        }
        if let collector {
            collector.append(bytes)
            return .taken
        }
        undelivered += bytes.count
        engine.post(.chunk(Data(bytes)), for: self)
        return .taken
    }

    func hasSent(_ count: Int64, of total: Int64) {
        guard count != lastProgress else { return }
        lastProgress = count
        noteSignOfLife()
        guard collector == nil else { return }
        engine.post(.progress(TransferProgress(completed: count, total: total > 0 ? total : nil)), for: self)
    }

    /// The bytes of the body need not wait any more. The time in which they did was no silence of the server.
    func didResume() {
        if lastSignOfLife != nil { lastSignOfLife = engine.now }
    }

    private func noteSignOfLife() {
        guard request.timeouts.idle != nil else { return }
        let isFirst = lastSignOfLife == nil
        lastSignOfLife = engine.now
        if isFirst { engine.watchDeadline(of: self) }
    }
}

extension Result<TransferEvent, TransportError> {
    fileprivate var isTerminal: Bool {
        switch self {
        case .success(.end), .failure: true
        case .success: false
        }
    }
}
