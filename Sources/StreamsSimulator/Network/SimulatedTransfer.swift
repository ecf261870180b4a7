import Foundation
internal import HTTPMessages
import LoopbackServer
import NetNodes
import Streams

/// The transfer of one request, with its redirects.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class SimulatedTransfer: @unchecked Sendable {
    private let pool: ConnectionPool
    private let outlet: TransferOutlet
    private let startedAt: Duration
    private var timers: [TransportError.TimeoutPhase: any Disposable] = [:]
    /// The time at which bytes were last sent or received.
    private var lastActivity = Duration.zero
    private var request: HTTPRequest
    private var redirects = 0
    private var parser: MessageParser
    /// Whether a byte of the response has arrived.
    private var hasBegun = false
    /// Whether the connection serves another request after this response.
    private var keepsConnection = false
    private var socket: SimulatedSocket?
    private var isReused = false
    private var unsent = OutputBuffer()
    private var isOver = false
    private var received = 0

    init(_ request: HTTPRequest, _ pool: ConnectionPool, _ outlet: TransferOutlet) {
        (self.request, self.pool, self.outlet) = (request, pool, outlet)
        parser = MessageParser(responding: request)
        startedAt = pool.network.now
    }

    private var url: String { redacted(request.url) }
    private var host: String { request.url.host() ?? "" }

    func start() {
        if pool.network.loop.escape(to: "a transport of the simulation") { return fail(.noResponse) }
        guard pool.owner.isAlive else { return }
        do throws(TransportError) {
            try request.validate()
            unsent.append(try request.bytes())
        } catch { return fail(error) }
        if redirects == 0 { limit(.total, request.timeouts.total) }
        if let socket = pool.take(to: host) { use(socket, isReused: true) } else { connect() }
    }

    private func connect() {
        limit(.connect, request.timeouts.connect)
        pool.network.connect(pool.owner, to: host) { [self] result in
            switch result {
            case .success(let socket): if isOver { socket.close() } else { use(socket, isReused: false) }
            case .failure(.unknownHost): fail(.cannotFindHost(host, url: url))
            case .failure(.refused): fail(.cannotConnect(url: url, reason: "Connection refused"))
            }
        }
    }

    private func use(_ socket: SimulatedSocket, isReused: Bool) {
        (self.socket, self.isReused) = (socket, isReused)
        stop(.connect)
        noteActivity()
        outlet.deliver(.success(.sent))
        write()
        socket.startReading { [self] in read() }
    }

    private func write() {
        while let socket, !unsent.isEmpty {
            switch unsent.withBytes({ socket.write($0) }) {
            case .count(let count):
                unsent.drop(count)
                noteActivity()
            case .wouldBlock: return socket.startWriting { [self] in write() }
            case .failed: return didLose()
            }
        }
        socket?.stopWriting()
    }

    private func read() {
        parkIfSuspended()
        guard let socket, !outlet.isParked else { return }
        let result = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            let result = socket.read(into: buffer)
            if case .count(let count) = result, count > 0 { parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return result
        }
        switch result {
        case .count(0): didClose()
        case .count:
            hasBegun = true
            noteActivity()
            deliver()
        case .wouldBlock: break
        case .failed: didLose()
        }
    }

    /// Stops reading while the subscriber is suspended; this time does not count as idle.
    private func parkIfSuspended() {
        guard outlet.mustPark else { return }
        socket?.pauseReading()
        stop(.idle)
        outlet.park { [self] in
            pool.network.schedule(after: .zero) { [self] in pool.network.loop.run(as: pool.owner) { resume() } }
        }
    }

    private func resume() {
        outlet.didResume()
        parkIfSuspended()
        guard !outlet.isParked else { return }
        noteActivity()
        socket?.resumeReading()
    }

    private func deliver() {
        while !isOver, receive(parser.next()) {}
        parkIfSuspended()
    }

    /// Returns whether another step may follow.
    private func receive(_ step: MessageParser.Step) -> Bool {
        switch step {
        case .needsInput: return false
        case .head(let head, let framing): receive(head, framing)
        case .bytes(let bytes): receive(Data(bytes))
        case .end: complete()
        case .failed(let fault): fail(.malformedResponse(url: url, reason: fault.reason))
        }
        return true
    }

    private func receive(_ head: MessageHead, _ framing: BodyFraming) {
        keepsConnection = head.keepsAlive && framing != .untilClose && framing != .upgraded
        do throws(TransportError) {
            if let next = try Redirect.next(after: request, status: head.status, headers: head.headers, count: redirects) {
                return follow(next)
            }
        } catch { return fail(error) }
        outlet.deliver(.success(.head(HTTPResponse.Head(status: head.status, headers: head.headers, url: request.url))))
    }

    private func receive(_ data: Data) {
        received += data.count
        let limit = request.limits.maximumBodySize ?? .max
        guard received <= limit else { return fail(.bodyTooLarge(limit: limit, url: url)) }
        outlet.deliver(.success(.chunk(data)))
    }

    private func follow(_ next: HTTPRequest) {
        socket?.close()
        socket = nil
        redirects += 1
        (request, parser, hasBegun) = (next, MessageParser(responding: next), false)
        start()
    }

    private func didClose() {
        if case .end = parser.close() { return complete() }
        guard received > 0 else { return didLose() }
        fail(.incompleteBody(url: url, received: Int64(received), reason: "the connection was closed"))
    }

    /// Handles a lost connection. A connection that was used before may have been closed meanwhile, so idempotent requests are sent again.
    private func didLose() {
        guard isReused, !hasBegun, request.method.isIdempotent else {
            return fail(.connectionLost(url: url, reason: "it was reset"))
        }
        socket?.close()
        socket = nil
        unsent = OutputBuffer()
        do throws(TransportError) { unsent.append(try request.bytes()) } catch { return fail(error) }
        connect()
    }

    private func complete() {
        guard !isOver else { return }
        let metrics = HTTPResponse.Metrics(
            total: pool.network.now - startedAt, bytesReceived: Int64(received), reusedConnection: isReused, redirects: redirects,
            protocolName: "HTTP/1.1")
        end(keepsConnection: keepsConnection && unsent.isEmpty)
        outlet.deliver(.success(.end(metrics)))
        parkIfSuspended()
        (pool.network.server(host) as? Simulation.Server)?.repeatIfProxied(request, pool)
    }

    private func fail(_ error: TransportError) {
        guard !isOver else { return }
        end(keepsConnection: false)
        outlet.deliver(.failure(error))
    }

    func cancel() {
        _ = outlet.terminate()
        end(keepsConnection: false)
    }

    private func end(keepsConnection: Bool) {
        guard !isOver else { return }
        isOver = true
        for timer in timers.values { timer.dispose() }
        guard let socket else { return }
        self.socket = nil
        if keepsConnection { pool.put(socket, to: host) } else { socket.close() }
    }

    private func limit(_ phase: TransportError.TimeoutPhase, _ duration: Duration?) {
        guard let duration, !isOver else { return }
        plan(phase, after: duration) { [self] in fail(.timedOut(phase, after: duration, url: url)) }
    }

    /// Measures idle time with a single timer: most transfers end before it is due.
    private func noteActivity() {
        lastActivity = pool.network.now
        guard let limit = request.timeouts.idle, timers[.idle] == nil, !isOver else { return }
        checkActivity(within: limit, after: limit)
    }

    private func checkActivity(within limit: Duration, after delay: Duration) {
        plan(.idle, after: delay) { [self] in
            let rest = lastActivity + limit - pool.network.now
            guard rest > .zero else { return fail(.timedOut(.idle, after: limit, url: url)) }
            checkActivity(within: limit, after: rest)
        }
    }

    private func plan(_ phase: TransportError.TimeoutPhase, after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        stop(phase)
        timers[phase] = pool.scheduler.schedule(after: delay, action)
    }

    private func stop(_ phase: TransportError.TimeoutPhase) {
        timers.removeValue(forKey: phase)?.dispose()
    }
}
