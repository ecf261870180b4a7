import Dispatch
import Foundation
import Streams

#if os(Linux)
    import NetNodes
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request performed by a `URLSession`, including redirects. Sound: it is confined to the relay's queue.
final class URLSessionTransfer: @unchecked Sendable {
    private let session: URLSession
    private let relay: URLSessionRelay
    private let outlet: TransferOutlet
    private let mark = Resources.Mark("URLSessionTransfer")
    private let startedAt = ContinuousClock.now
    private var request: HTTPRequest
    private var task: URLSessionDataTask?
    private var totalTimer: (any DispatchSourceTimer)?
    private var idleTimer: (any DispatchSourceTimer)?
    private var head: HTTPResponse.Head?
    private var redirectHistory: [HTTPResponse.Redirection] = []
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var wasChallenged = false
    /// Whether the task has ended, or none should begin.
    private var isFinished = false

    init(_ request: HTTPRequest, session: URLSession, relay: URLSessionRelay, outlet: TransferOutlet) {
        self.request = request
        self.session = session
        self.relay = relay
        self.outlet = outlet
    }

    func begin() {
        guard !isFinished else { return }
        if let total = request.timeouts.total {
            totalTimer = timer(total) { transfer in transfer.expire(.total, after: total) }
        }
        startTask()
    }

    func cancel() {
        _ = outlet.terminate()
        finish()
    }

    private func startTask() {
        do throws(TransportError) {
            try request.validate()
            let task = session.dataTask(with: try request.urlRequest())
            self.task = task
            relay.add(self, for: task)
            task.resume()
        } catch {
            return fail(error)
        }
        recordActivity(request.timeouts.connect, .connect)
        deliver(.sent)
    }

    private func expire(_ phase: TransportError.TimeoutPhase, after limit: Duration) {
        fail(.timedOut(phase, after: limit, url: request.redactedURL))
    }

    private func fail(_ error: TransportError) {
        guard !isFinished else { return }
        finish()
        deliver(.failure(error))
    }

    private func deliver(_ event: TransferEvent) {
        guard !isFinished else { return }
        if case .end = event { finish() }
        deliver(.success(event))
    }

    private func deliver(_ event: TransferOutlet.Event) {
        outlet.deliver(event)
        parkIfSuspended()
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        totalTimer?.cancel()
        idleTimer?.cancel()
        guard let task else { return }
        relay.remove(task)
        task.cancel()
        self.task = nil
    }
}

/// The suspension of a subscriber.
extension URLSessionTransfer {
    private func parkIfSuspended() {
        guard outlet.mustPark else { return }
        if head != nil { idleTimer?.cancel() }
        setPaused(true)
        outlet.park { [self] in relay.queue.async { self.didResume() } }
    }

    private func didResume() {
        outlet.didResume()
        parkIfSuspended()
        guard !isFinished, !outlet.isParked else { return }
        setPaused(false)
        if head != nil { recordActivity(request.timeouts.idle, .idle) }
    }

    /// Stops or continues reading. On Linux a suspended task begins its request again when it continues, so it is left running.
    private func setPaused(_ isPaused: Bool) {
        #if !os(Linux)
            if isPaused { task?.suspend() } else { task?.resume() }
        #endif
    }
}

/// The events of the session.
extension URLSessionTransfer {
    func didReceiveHead(_ response: URLResponse) {
        recordActivity(request.timeouts.idle, .idle)
        guard head == nil, let response = response as? HTTPURLResponse else { return }
        let next = HTTPResponse.Head(response, url: request.url)
        head = next
        do throws(TransportError) {
            if let following = try Redirect.next(after: request, status: next.status, headers: next.headers, count: redirectHistory.count) {
                return follow(following, after: next.status)
            }
        } catch {
            return fail(error)
        }
        deliver(.head(next))
    }

    func didReceiveBytes(_ data: Data) {
        recordActivity(request.timeouts.idle, .idle)
        received += Int64(data.count)
        if let limit = request.limits.maximumBodySize, received > limit {
            return fail(.bodyTooLarge(limit: limit, url: request.redactedURL))
        }
        outlet.undelivered += data.count
        deliver(.chunk(data))
    }

    func didSend(_ count: Int64, of total: Int64) {
        recordActivity(request.timeouts.idle, .idle)
        sent = count
        deliver(.progress(TransferEvent.Progress(completed: count, total: total > 0 ? total : nil)))
    }

    func didReceiveChallenge() {
        wasChallenged = true
    }

    func didComplete(_ error: (any Error)?, _ response: URLResponse?) {
        if let response { didReceiveHead(response) }
        guard !isFinished, task != nil else { return }
        if let error, !(wasChallenged && head != nil) { return fail(TransportError(error, transfer: request, received: received)) }
        guard head != nil else { return fail(.noResponse) }
        let total = ContinuousClock.now - startedAt
        let metrics = HTTPResponse.Metrics(
            total: total, bytesSent: sent, bytesReceived: received, redirects: redirectHistory.count, redirectHistory: redirectHistory)
        deliver(.end(metrics))
    }

    private func follow(_ next: HTTPRequest, after status: Int) {
        if let task {
            relay.remove(task)
            task.cancel()
        }
        redirectHistory.append(HTTPResponse.Redirection(status: status, url: request.url))
        request = next
        head = nil
        wasChallenged = false
        startTask()
    }

    private func recordActivity(_ limit: Duration?, _ phase: TransportError.TimeoutPhase) {
        idleTimer?.cancel()
        guard phase == .connect || !outlet.isParked else { return }
        idleTimer = limit.map { limit in timer(limit) { transfer in transfer.expire(phase, after: limit) } }
    }

    private func timer(_ limit: Duration, _ onFire: @escaping @Sendable (URLSessionTransfer) -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: relay.queue)
        timer.setEventHandler { [weak self] in self.map(onFire) }
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: MonotonicTime.now.advanced(by: limit)))
        timer.activate()
        return timer
    }
}
