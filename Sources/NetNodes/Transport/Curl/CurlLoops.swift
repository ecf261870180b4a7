import Streams

/// The loops of a transport, each an engine with a thread and connections of its own. A thread starts when its loop gets the first transfer.
///
/// A transfer has at most one loop, to which everything about it is posted; it can get another one between two of its requests.
final class CurlLoops: Sendable {
    let engines: [CurlEngine]
    let traffic: LoopTraffic
    /// The reason why the configured `User-Agent` cannot be sent.
    let agentFault: TransportError?

    init(_ configuration: CurlTransport.Configuration) {
        let count = configuration.hasValidLoops ? configuration.loops : 1
        let (traffic, watch) = (LoopTraffic(configuration, loops: count), CallWatch())
        self.traffic = traffic
        agentFault = configuration.userAgent.flatMap { HTTPHeaders.Field(name: "User-Agent", value: $0).fault }
        engines = (0..<count).map { CurlEngine(configuration, index: $0, traffic, watch) }
    }

    /// Starts a new transfer as soon as the limits allow it. Thread-safe.
    func start(_ transfer: CurlTransfer) {
        let deadline = transfer.deadline
        if traffic.begin(transfer, needsPlace: transfer.request.hasImmediateBody) {
            transfer.engine.start(transfer)
        } else if deadline != .max {
            engines[0].watchWaiting(until: deadline)
        }
    }

    /// Cancels a transfer; no further event is delivered. Thread-safe.
    func cancel(_ transfer: CurlTransfer) {
        guard transfer.terminate() else { return }
        if let departure = traffic.withdraw(transfer) { return resume(after: departure) }
        post(transfer) { $0.release($1) }
    }

    /// Releases the place of a transfer, for those that wait. Thread-safe.
    func leave(_ transfer: CurlTransfer) { resume(after: traffic.leave(transfer)) }

    /// Notes whether connections to the origin of a transfer carry one request at a time. Thread-safe, like everything here.
    func didReceiveHead(of transfer: CurlTransfer, isExclusive: Bool) {
        guard let place = transfer.place, let loop = place.loop, place.isExclusive != isExclusive else { return }
        resume(after: traffic.learn(isExclusive: isExclusive, of: place.origin, in: loop))
    }

    func resume(after departure: LoopTraffic.Departure) {
        for transfer in departure.granted { post(transfer, startsThread: true) { $0.begin($1) } }
        // Until then the first loop has stayed to watch their deadlines.
        if departure.endsWaiting { engines[0].wake() }
    }

    /// Lets the loop of a transfer act on it. Thread-safe.
    ///
    /// - Parameter startsThread: whether the thread is started if it has ended.
    func post(
        _ transfer: CurlTransfer, startsThread: Bool = false, _ action: @escaping @Sendable (CurlEngine, CurlTransfer) -> Void
    ) {
        let engine = engines[transfer.loop]
        let message = EngineMessage { [self] in
            // The transfer may have got another loop while the message was underway.
            guard engine.index == transfer.loop else { return post(transfer, startsThread: startsThread, action) }
            action(engine, transfer)
        }
        if startsThread { engine.start(with: message) } else { engine.post(message) }
    }

    /// Ends the transport: running and waiting transfers may end until the deadline.
    func shutDown(within limit: Duration) async {
        let deadline = MonotonicTime.now.advanced(by: limit)
        traffic.shutDown()
        // A transfer that waited may have started in a loop that had ended.
        repeat {
            await withCheckedContinuation { continuation in
                let left = Countdown(from: engines.count)
                for engine in engines {
                    engine.shutDown(at: deadline) { if left.countDown() { continuation.resume() } }
                }
            }
        } while !traffic.isIdle
    }

    /// Closes the connections, since no transfer is left.
    func shutDown() {
        for engine in engines { engine.shutDown() }
    }
}

extension HTTPRequest {
    /// Whether it is known without waiting that the body has as many bytes as are announced.
    fileprivate var hasImmediateBody: Bool { if case .stream(let stream) = body { stream.length != 0 } else { true } }
}
