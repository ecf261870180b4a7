import Foundation
import LoopbackServer
import TerminalViews
import TestSupport

/// Draws three screens of real runs as SVG.
enum Pictures {
    static func draw(into folder: URL) throws {
        let server = LoopbackServer()
        server.addRoutes(ServiceRoutes.all)
        try server.start()
        defer { server.stop() }
        let run = try PulseRun(ServiceRoutes.arguments(at: server.baseURL, interval: 0.5), size: Size(width: 100, height: 30))
        run.wait(seconds: 5) { $0.text.contains("6/8 up") }
        Thread.sleep(forTimeInterval: 20)
        run.type("Gk")
        run.wait(seconds: 5) { $0.text.contains("┌ images") }
        try write(run, "watch", into: folder)
        run.type("\r")
        Thread.sleep(forTimeInterval: 1)
        try write(run, "details", into: folder)
        run.end()
        let light = try PulseRun(
            ServiceRoutes.arguments(at: server.baseURL, interval: 0.5) + ["--theme", "light"], size: Size(width: 160, height: 40))
        light.wait(seconds: 5) { $0.text.contains("6/8 up") }
        Thread.sleep(forTimeInterval: 15)
        try write(light, "watch-light", into: folder, isLight: true)
        light.end()
    }

    private static func write(_ run: PulseRun, _ name: String, into folder: URL, isLight: Bool = false) throws {
        let svg = ScreenPicture(isLight: isLight).svg(run.picture)
        try Data(svg.utf8).write(to: folder.appending(path: "\(name).svg"))
    }
}

/// Services as they are in life: most are fast, some are slow, one is flaky, two are down.
enum ServiceRoutes {
    private static func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(Int.random(in: range)) }

    private static func answer(_ range: ClosedRange<Int>) -> @Sendable (LoopbackServer.Request) -> LoopbackServer.Response {
        { _ in .json(["status": "ok"]).with(.delay(milliseconds(range))) }
    }

    static let all: [LoopbackServer.Route] = {
        [
            .get("/catalog/health", answer: answer(8...14)), .get("/search/health", answer: answer(30...70)),
            .get("/login/health", answer: answer(3...6)),
            .get("/mail/health", answer: answer(90...160)),
            .get("/checkout/health") { _ in
                LoopbackServer.Response.json(
                    ["status": "degraded", "error": "no connection to the payment service", "queue": "1841"], status: 503
                )
                .with(.delay(milliseconds(20...40)))
            },
            .get("/images/health") { _ in
                let isSlow = Int.random(in: 0..<12) == 0
                return LoopbackServer.Response.json(["status": "ok"], status: isSlow ? 504 : 200).with(
                    .delay(milliseconds(isSlow ? 190...220 : 15...60)))
            },
            .get("/:name/health", answer: answer(12...18)),
        ]
    }()

    static func arguments(at service: URL, interval: Double) -> [String] {
        let named = ["catalog", "search", "login", "mail", "checkout", "images"].map { "\($0)=\(service)/\($0)/health" }
        return ["watch"] + named + ["\(service)/caf%C3%A9/health", "ledger=http://127.0.0.1:9/", "-i", "\(interval)"]
    }
}
