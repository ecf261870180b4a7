import Foundation

@testable import NetNodes

/// What came of one transfer.
struct Collected: Sendable {
    var events: [TransferEvent] = []
    var error: TransportError?

    var head: HTTPResponseHead? {
        events.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
    }

    var body: Data {
        events.reduce(into: Data()) { if case .chunk(let data) = $1 { $0 += data } }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var metrics: TransferMetrics? {
        events.compactMap { if case .end(let metrics) = $0 { metrics } else { nil } }.last
    }
}

/// Runs one transfer to its end.
func collect(_ request: HTTPRequest, on transport: CurlTransport) -> Collected {
    let result = Slot<Collected>()
    let collected = Lock(Collected())
    let transfer = CurlTransfer(request, engine: transport.engine) { event in
        switch event {
        case .success(let event):
            let all = collected.withLock {
                $0.events.append(event); return $0
            }
            if case .end = event { result.fill(all) }
        case .failure(let error):
            result.fill(
                collected.withLock {
                    $0.error = error; return $0
                })
        }
    }
    transport.engine.start(transfer)
    return result.wait(15) ?? Collected(error: .other(code: -1, reason: "the test ran out of time", url: ""))
}

final class Lock<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State
    init(_ state: State) { self.state = state }
    func withLock<R>(_ body: (inout State) -> R) -> R { lock.withLock { body(&state) } }
}
