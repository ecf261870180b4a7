import Streams

/// Remembers what a server has seen, for whoever asks from whatever thread, and tells those who listen; these are called on the server's queue.
final class Recorder: Sendable {
    fileprivate struct State: Sendable {
        var counts = ServerCounts()
        var requests: [ServerRequest] = []
        var bodyBytes = 0
        var forgotten = 0
    }

    let requestStream = PublishSubject<ServerRequest>()
    let openedStream = PublishSubject<Int>()
    let closedStream = PublishSubject<ClosedConnection>()
    private let limits: ServerLimits
    private let state = Lock(State())

    init(limits: ServerLimits) {
        self.limits = limits
    }

    var counts: ServerCounts { state.withLock { $0.counts } }

    var requests: [ServerRequest] { state.withLock { Array($0.requests[$0.forgotten...]) } }

    /// Numbers a request and remembers it.
    func record(_ parsed: RequestParser.Request, connection: Int) -> ServerRequest {
        let number = state.withLock { state in
            state.counts.requests += 1
            return state.counts.requests
        }
        let request = ServerRequest(parsed, number: number, connection: connection)
        state.withLock { $0.remember(request, limits) }
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

    func recordClosed(_ connection: ClosedConnection) {
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
        state.withLock { state in
            state.requests = []
            state.bodyBytes = 0
            state.forgotten = 0
        }
    }
}

extension Recorder.State {
    /// Forgotten requests leave the front of the array in bulk, so that remembering one costs constant time on average.
    fileprivate mutating func remember(_ request: ServerRequest, _ limits: ServerLimits) {
        requests.append(request)
        bodyBytes += request.body.count
        while forgotten < requests.count, requests.count - forgotten > limits.recordedRequests || bodyBytes > limits.recordedBytes {
            bodyBytes -= requests[forgotten].body.count
            forgotten += 1
        }
        guard forgotten > requests.count / 2 else { return }
        requests.removeFirst(forgotten)
        forgotten = 0
    }
}
