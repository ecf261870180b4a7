import Streams

/// Records the requests and connections of a server. Thread-safe; its streams emit on the server's queue.
final class Recorder: Sendable {
    fileprivate struct State: Sendable {
        var counts = LoopbackServer.Counts()
        /// The first `forgotten` of these are `nil`.
        var requests: [LoopbackServer.Request?] = []
        var bytes = 0
        var forgotten = 0
    }

    let requestStream = PublishSubject<LoopbackServer.Request>()
    let openedStream = PublishSubject<Int>()
    let closedStream = PublishSubject<LoopbackServer.ClosedConnection>()
    private let limits: LoopbackServer.Limits
    private let state = Lock(State())

    init(limits: LoopbackServer.Limits) {
        self.limits = limits
    }

    var counts: LoopbackServer.Counts { state.withLock { $0.counts } }

    var requests: [LoopbackServer.Request] { state.withLock { $0.requests[$0.forgotten...].compactMap { $0 } } }

    /// Numbers and records a request.
    func record(_ parsed: RequestParser.Request, connection: Int) -> LoopbackServer.Request {
        let number = state.withLock { state in
            state.counts.requests += 1
            return state.counts.requests
        }
        let request = LoopbackServer.Request(parsed, number: number, connection: connection)
        // Forgotten requests are released outside the lock.
        let forgotten = state.withLock { $0.remember(request, limits) }
        withExtendedLifetime(forgotten) {}
        requestStream.onNext(request)
        return request
    }

    func recordOpened(_ connection: Int) {
        state.withLock { state in
            state.counts.connectionsOpened += 1
            state.counts.connectionsOpen += 1
        }
        openedStream.onNext(connection)
    }

    func recordClosed(_ connection: LoopbackServer.ClosedConnection) {
        state.withLock { $0.counts.connectionsOpen -= 1 }
        closedStream.onNext(connection)
    }

    func recordMalformedRequest() {
        state.withLock { $0.counts.malformedRequests += 1 }
    }

    func recordAcceptFailure() {
        state.withLock { $0.counts.acceptFailures += 1 }
    }

    func forgetRequests() {
        let forgotten = state.withLock { state in
            defer { (state.requests, state.bytes, state.forgotten) = ([], 0, 0) }
            return state.requests
        }
        withExtendedLifetime(forgotten) {}
    }
}

extension Recorder.State {
    /// Removes forgotten requests from the front of the array in bulk, so that recording a request is amortized O(1).
    ///
    /// - Returns: the requests that are forgotten.
    fileprivate mutating func remember(_ request: LoopbackServer.Request, _ limits: LoopbackServer.Limits) -> [LoopbackServer.Request] {
        var released: [LoopbackServer.Request] = []
        requests.append(request)
        bytes += request.bytesInMemory
        while forgotten < requests.count, requests.count - forgotten > limits.recordedRequests || bytes > limits.recordedBytes {
            if let oldest = requests[forgotten] {
                bytes -= oldest.bytesInMemory
                released.append(oldest)
            }
            requests[forgotten] = nil
            forgotten += 1
        }
        if forgotten > requests.count / 2 {
            requests.removeFirst(forgotten)
            forgotten = 0
        }
        return released
    }
}

extension LoopbackServer.Request {
    /// The approximate memory of a recorded request. Each field counts more than its bytes, so that many empty fields count too; the target
    /// is stored in three forms.
    fileprivate var bytesInMemory: Int {
        let fields = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 96 }
        return 256 + body.count + 3 * target.utf8.count + fields + 96 * (queryItems.count + (pathSegments?.count ?? 0))
    }
}

extension LoopbackServer {
    /// A connection that was closed, and the reason.
    public struct ClosedConnection: Sendable, Equatable {
        /// The connection's number.
        public let connection: Int
        /// The reason why it was closed.
        public let reason: ClosingReason
        /// The request in progress at that moment, if any: its client cancelled.
        public let interrupted: Request?
        /// The number of bytes read from it.
        public let bytesReceived: Int
        /// The number of bytes written to it.
        public let bytesSent: Int
    }

    /// The reason why a connection was closed.
    public enum ClosingReason: Sendable, Equatable {
        /// The client closed or reset it, or had disconnected when the server wrote.
        case client
        /// The server closed it after a response that ends the connection.
        case server
        /// A requested fault closed it.
        case fault
        /// A streaming body failed, or the client received it too slowly (`LoopbackServer.Limits.streamBufferBytes`).
        case aborted
        /// The client sent or received nothing for too long (`LoopbackServer.Limits.idleTime`).
        case idle
        /// The server was stopped.
        case stopped
    }

    /// The counts of a server since it was created.
    public struct Counts: Sendable, Equatable {
        /// Accepted connections.
        public internal(set) var connectionsOpened = 0
        /// Currently open connections.
        public internal(set) var connectionsOpen = 0
        /// Complete requests.
        public internal(set) var requests = 0
        /// Requests answered with 4xx because they are malformed or exceed a limit.
        public internal(set) var malformedRequests = 0
        /// The number of times that the process had no file descriptor left for a connection.
        public internal(set) var acceptFailures = 0
    }
}
