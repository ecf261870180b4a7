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
    private let receive: TransferDelivery
    private let counting = ResourceCounting()
    private let mark = Resources.Mark("URLSessionTransfer")
    private let startedAt = ContinuousClock.now
    private var request: HTTPRequest
    private var task: URLSessionDataTask?
    private var totalTimer: (any DispatchSourceTimer)?
    private var idleTimer: (any DispatchSourceTimer)?
    private var head: HTTPResponseHead?
    private var redirects = 0
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var wasChallenged = false
    private var isTerminated = false

    init(_ request: HTTPRequest, session: URLSession, relay: URLSessionRelay, deliver: @escaping TransferDelivery) {
        self.request = request
        self.session = session
        self.relay = relay
        receive = deliver
    }

    func begin() {
        guard !isTerminated else { return }
        if let total = request.timeouts.total {
            totalTimer = timer(total) { transfer in transfer.expire(.total, after: total) }
        }
        perform()
    }

    func cancel() {
        guard !isTerminated else { return }
        finish()
    }

    private func perform() {
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
        fail(.timedOut(phase, after: limit, url: redacted(request.url)))
    }

    private func fail(_ error: TransportError) {
        guard !isTerminated else { return }
        finish()
        counting { receive(.failure(error)) }
    }

    private func deliver(_ event: TransferEvent) {
        guard !isTerminated else { return }
        if case .end = event { finish() }
        counting { receive(.success(event)) }
    }

    private func finish() {
        isTerminated = true
        totalTimer?.cancel()
        idleTimer?.cancel()
        guard let task else { return }
        relay.remove(task)
        task.cancel()
        self.task = nil
    }
}

/// The events of the session.
extension URLSessionTransfer {
    func didReceiveHead(_ response: URLResponse) {
        recordActivity(request.timeouts.idle, .idle)
        guard head == nil, let response = response as? HTTPURLResponse else { return }
        let next = HTTPResponseHead(response, url: request.url)
        head = next
        do throws(TransportError) {
            if let following = try Redirect.next(after: request, status: next.status, headers: next.headers, count: redirects) {
                return follow(following)
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
            return fail(.bodyTooLarge(limit: limit, url: redacted(request.url)))
        }
        deliver(.chunk(data))
    }

    func didSend(_ count: Int64, of total: Int64) {
        recordActivity(request.timeouts.idle, .idle)
        sent = count
        deliver(.progress(TransferProgress(completed: count, total: total > 0 ? total : nil)))
    }

    func didReceiveChallenge() {
        wasChallenged = true
    }

    func didComplete(_ error: (any Error)?, _ response: URLResponse?) {
        if let response { didReceiveHead(response) }
        guard !isTerminated, task != nil else { return }
        if let error, !(wasChallenged && head != nil) { return fail(TransportError(error, transfer: request, received: received)) }
        guard head != nil else { return fail(.noResponse) }
        let total = ContinuousClock.now - startedAt
        deliver(.end(TransferMetrics(total: total, bytesSent: sent, bytesReceived: received, redirects: redirects)))
    }

    private func follow(_ next: HTTPRequest) {
        if let task {
            relay.remove(task)
            task.cancel()
        }
        request = next
        redirects += 1
        head = nil
        wasChallenged = false
        perform()
    }

    private func recordActivity(_ limit: Duration?, _ phase: TransportError.TimeoutPhase) {
        idleTimer?.cancel()
        idleTimer = limit.map { limit in timer(limit) { transfer in transfer.expire(phase, after: limit) } }
    }

    private func timer(_ limit: Duration, _ onFire: @escaping @Sendable (URLSessionTransfer) -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: relay.queue)
        timer.setEventHandler { [weak self] in self.map(onFire) }
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: Deadline.now.advanced(by: limit)))
        timer.activate()
        return timer
    }
}
