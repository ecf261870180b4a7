import Dispatch
import Foundation
import Streams

#if os(Linux)
    import NetNodes
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way through a `URLSession`, redirects included. Confined to the relay's queue: that makes the unchecked conformance sound.
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
    private var isOver = false

    init(_ request: HTTPRequest, session: URLSession, relay: URLSessionRelay, deliver: @escaping TransferDelivery) {
        self.request = request
        self.session = session
        self.relay = relay
        receive = deliver
    }

    func begin() {
        guard !isOver else { return }
        if let total = request.timeouts.total {
            totalTimer = timer(total) { transfer in transfer.expire(.total, after: total) }
        }
        perform()
    }

    func cancel() {
        guard !isOver else { return }
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
        noteSignOfLife(request.timeouts.connect, .connect)
        deliver(.sent)
    }

    private func expire(_ phase: TransportError.TimeoutPhase, after limit: Duration) {
        fail(.timedOut(phase, after: limit, url: redacted(request.url)))
    }

    private func fail(_ error: TransportError) {
        guard !isOver else { return }
        finish()
        counting { receive(.failure(error)) }
    }

    private func deliver(_ event: TransferEvent) {
        guard !isOver else { return }
        if case .end = event { finish() }
        counting { receive(.success(event)) }
    }

    private func finish() {
        isOver = true
        totalTimer?.cancel()
        idleTimer?.cancel()
        guard let task else { return }
        relay.remove(task)
        task.cancel()
        self.task = nil
    }
}

/// What the session tells.
extension URLSessionTransfer {
    func hasHead(_ response: URLResponse) {
        noteSignOfLife(request.timeouts.idle, .idle)
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

    func hasBytes(_ data: Data) {
        noteSignOfLife(request.timeouts.idle, .idle)
        received += Int64(data.count)
        if let limit = request.limits.maximumBodySize, received > limit {
            return fail(.bodyTooLarge(limit: limit, url: redacted(request.url)))
        }
        deliver(.chunk(data))
    }

    func hasSent(_ count: Int64, of total: Int64) {
        noteSignOfLife(request.timeouts.idle, .idle)
        sent = count
        deliver(.progress(TransferProgress(completed: count, total: total > 0 ? total : nil)))
    }

    func isChallenged() {
        wasChallenged = true
    }

    func hasCompleted(_ error: (any Error)?, _ response: URLResponse?) {
        if let response { hasHead(response) }
        guard !isOver, task != nil else { return }
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

    private func noteSignOfLife(_ limit: Duration?, _ phase: TransportError.TimeoutPhase) {
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
