import Foundation

@testable import NetNodes

/// The events of one transfer.
struct Collected: Sendable {
    var events: [TransferEvent] = []
    var error: TransportError?

    var head: HTTPResponse.Head? {
        events.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
    }

    var body: Data {
        events.reduce(into: Data()) { if case .chunk(let data) = $1 { $0 += data } }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var metrics: HTTPResponse.Metrics? {
        events.compactMap { if case .end(let metrics) = $0 { metrics } else { nil } }.last
    }
}

/// Runs one transfer to its end.
func collect(_ request: HTTPRequest, on transport: some Transport) -> Collected {
    let collected = Lock(Collected())
    let result = Slot<Collected>()
    let subscription = transport.transfer(request).subscribe { event in
        switch event {
        case .next(let event): collected.withLock { $0.events.append(event) }
        case .error(let error):
            collected.withLock { $0.error = error as? TransportError }
            result.fill(collected.withLock { $0 })
        case .completed: result.fill(collected.withLock { $0 })
        }
    }
    defer { subscription.dispose() }
    return result.wait() ?? Collected(error: .other(code: -1, reason: "the test ran out of time", url: ""))
}
