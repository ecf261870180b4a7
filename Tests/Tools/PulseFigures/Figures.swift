import Foundation
import LoopbackServer
import TerminalViews
import TestSupport

/// Measures what the page about `pulse` says.
enum Figures {
    static func print(_ name: String, _ value: String) {
        Swift.print(TerminalText.padded(name, to: 58) + value)
    }

    static func measure(minutes: Double) throws {
        let requests = RequestCount()
        let server = LoopbackServer(
            .get("/:name") { _ in
                requests.add()
                return .text("ok")
            }
        )
        try server.start()
        defer { server.stop() }
        try start(server.baseURL)
        for count in [20, 200] { try load(server.baseURL, requests, count: count, minutes: minutes) }
        try virtualHours()
        frames()
    }

    private static func endpoints(_ service: URL, _ count: Int) -> [String] {
        ["watch"] + (0..<count).map { "service-\($0)=\(service)/\($0)" } + ["-i", "1"]
    }

    private static func start(_ service: URL) throws {
        let times = try (0..<9).map { _ in
            let run = try PulseRun(endpoints(service, 20), size: Size(width: 120, height: 40))
            let time = run.wait { $0.text.contains("State ▲") } ?? .zero
            run.wait { $0.text.contains("20/20 up") }
            run.end()
            return time
        }
        print("start to first frame, median of 9", "\(milliseconds(times.sorted()[4])) ms")
    }

    private static func load(_ service: URL, _ requests: RequestCount, count: Int, minutes: Double) throws {
        let run = try PulseRun(endpoints(service, count), size: Size(width: 120, height: 40))
        run.wait { $0.text.contains("\(count)/\(count) up") }
        requests.wait(forFurther: 5 * count)
        let (before, memory) = (run.processorTime, run.megabytes)
        let written = run.bytesWritten
        let rounds = max(1, Int(minutes * 60))
        let seconds = ContinuousClock().measure { requests.wait(forFurther: rounds * count) } / .seconds(1)
        let share = (run.processorTime - before) / seconds * 100
        print("\(count) endpoints each second, \(minutes) min, share of a core", "\(places(share)) %")
        print("  bytes written to the terminal a second", "\(Int(Double(run.bytesWritten - written) / seconds))")
        print("  memory after 5 rounds and at the end", "\(places(memory)) MB, \(places(run.megabytes)) MB")
        run.type(" ")
        run.wait { $0.text.contains("paused") }
        Thread.sleep(forTimeInterval: 1)
        let paused = run.processorTime
        Thread.sleep(forTimeInterval: 10)
        print("  paused for 10 s, processor time", "\(places((run.processorTime - paused) * 1000)) ms")
        run.end()
    }

    /// A recording of ten hours of 20 endpoints, each checked every 5 seconds, replayed in less than a minute.
    private static func virtualHours() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "pulse-figures-\(ProcessInfo.processInfo.processIdentifier).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for second in stride(from: 0, to: 36_000, by: 5) {
            let lines = (0..<20).map { endpoint in
                let isUp = (second / 5 + endpoint) % 97 != 0
                let time = Date(timeIntervalSince1970: 1_800_000_000 + Double(second) + Double(endpoint) / 100)
                let stamp = time.formatted(
                    .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
                let state = isUp ? "\"status\":200" : "\"status\":503,\"error\":\"status 503\""
                return "{\"time\":\"\(stamp)\",\"url\":\"http://h/\(endpoint)\",\"up\":\(isUp),\"milliseconds\":\(second % 50),\(state)}"
            }
            try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        }
        let run = try PulseRun(["watch", "--replay", file.path, "--speed", "2000"], size: Size(width: 120, height: 40))
        var memory: [Double] = []
        for _ in 0..<60 {
            Thread.sleep(forTimeInterval: 0.5)
            memory.append(run.megabytes)
            if run.picture.text.contains("end of the recording") { break }
        }
        run.wait { $0.text.contains("end of the recording") }
        let early = memory.dropFirst(4).first ?? .nan
        print("ten virtual hours of 20 endpoints, memory early and late", "\(places(early)) MB, \(places(run.megabytes)) MB")
        run.end()
    }

    /// Frames of which every cell changes, beside complete redraws.
    private static func frames() {
        let size = Size(width: 200, height: 60)
        let canvases = (0..<2).map { number in
            var canvas = Canvas(size: size)
            for y in 0..<size.height {
                let text = String((0..<size.width).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 7 + y * 3 + number * 11) % 90))) })
                canvas.draw(text, at: Point(x: 0, y: y), style: Style(y.isMultiple(of: 2) ? .cyan : .green))
            }
            return canvas
        }
        var encoder = FrameEncoder()
        _ = encoder.encode(canvases[1])
        var bytes = 0
        let times = (0..<200).map { number in
            ContinuousClock().measure { bytes = encoder.encode(canvases[number % 2]).count }
        }
        print("a frame of 200x60 with every cell changed, median of 200", "\(milliseconds(times.sorted()[100])) ms, \(bytes) bytes")
        let drawing = (0..<200).map { _ in ContinuousClock().measure { _ = tableSnapshot(size) } }
        print("  laying out and drawing a table of that size", "\(milliseconds(drawing.sorted()[100])) ms")
        encoder.invalidate()
        print("  a complete redraw of it", "\(encoder.encode(canvases[0]).count) bytes")
        var changed = canvases[0]
        changed.draw("one row of 60 has new numbers: 12.3 ms", at: Point(x: 5, y: 7), style: Style(.red))
        print("  a frame in which one row changed", "\(encoder.encode(changed).count) bytes")
    }

    private static func tableSnapshot(_ size: Size) -> Canvas {
        MainActor.assumeIsolated { table.snapshot(in: size) }
    }

    @MainActor private static let table: Table = {
        let table = Table(columns: [
            .init("Name", width: .fit), .init("Latency", width: .fixed(9), alignment: .trailing), .init("Last minute"),
        ])
        table.rows = (0..<59).map { row in
            Table.Row(
                id: "\(row)", [.text("service \(row)"), "12.3 ms", .sparkline(Sparkline.Series((0..<180).map { Double($0 * row % 17) }))])
        }
        return table
    }()

    private static func milliseconds(_ duration: Duration) -> String {
        places(Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15)
    }

    private static func places(_ value: Double) -> String {
        value.isFinite ? "\((value * 100).rounded() / 100)" : "-"
    }
}
