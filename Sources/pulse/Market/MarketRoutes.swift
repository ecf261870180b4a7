import Foundation
import LoopbackServer
import Streams

extension MarketData {
    private static let longestDelay = 60_000
    private static let largestDownload = 1_000_000_000
    private static let reconnectDelay = Duration.seconds(1)

    /// The routes of the service, listed in the table above.
    var routes: [LoopbackServer.Route] { quoteRoutes + Self.probeRoutes }

    private var quoteRoutes: [LoopbackServer.Route] {
        [
            LoopbackServer.Route.get("/quotes") { _ in .json(self.quotes) }.conditional(),
            .get("/quotes/stream") { request in .events(self.events(after: request.headers["Last-Event-ID"].flatMap { Int($0) })) },
            .get("/quotes/:symbol") { request in
                let symbol = request.parameters["symbol"] ?? ""
                guard let quote = self.quote(symbol) else { return Self.failure(404, "Unknown symbol: \(symbol).") }
                return .json(quote)
            },
        ]
    }

    private static var probeRoutes: [LoopbackServer.Route] {
        let flaky = LoopbackServer.Script([200, 200, 503, 200, 500].map { .json(["status": $0], status: $0) }, then: .repeatsAll)
        return [
            .get("/health") { _ in .json(["status": "ok"]) },
            .script("GET", "/flaky", flaky),
            .get("/delay/:milliseconds") { request in
                guard let delay = number(request, "milliseconds", in: 0...longestDelay) else {
                    return failure(400, "A delay is a number of milliseconds up to \(longestDelay).")
                }
                return .json(["delay": delay]).with(.delay(.milliseconds(delay)))
            },
            .get("/status/:code") { request in
                guard let status = number(request, "code", in: 200...599) else {
                    return failure(400, "A status is a number from 200 to 599.")
                }
                return (300..<400).contains(status) ? .redirect(to: "/health", status: status) : .json(["status": status], status: status)
            },
            LoopbackServer.Route.get("/download/:bytes") { request in
                guard let count = number(request, "bytes", in: 0...largestDownload) else {
                    return failure(400, "A download has a number of bytes up to \(largestDownload).")
                }
                return .generated(bytes: count).header("ETag", "\"\(count)\"")
            }.resumable().conditional(),
        ]
    }

    /// Emits all quotes first, unless the client has them already, and then each quote that moves.
    private func events(after lastTick: Int?) -> Observable<LoopbackServer.SentEvent> {
        .create { [self] observer in
            let known = quotes
            let now = known.map(\.tick).max() ?? 0
            let resumed = lastTick.flatMap { $0 <= now && now - $0 < RandomWalk.rememberedTicks ? $0 : nil }
            observer.onNext(LoopbackServer.SentEvent(data: nil, retry: Self.reconnectDelay))
            if resumed == nil {
                for quote in known { Self.send(quote, id: now, to: observer) }
            }
            return moves(after: resumed ?? now).subscribe(onNext: { Self.send($0, id: $0.tick, to: observer) })
        }
    }

    private static func send(_ quote: Quote, id: Int, to observer: AnyObserver<LoopbackServer.SentEvent>) {
        do {
            observer.onNext(try .json(quote, id: String(id), event: "quote"))
        } catch {
            observer.onError(error)
        }
    }

    private static func number(_ request: LoopbackServer.Request, _ name: String, in range: ClosedRange<Int>) -> Int? {
        request.parameters[name].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    private static func failure(_ status: Int, _ sentence: String) -> LoopbackServer.Response {
        .json(["error": sentence], status: status)
    }
}
