import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("Alerts are those of the configuration that was read last", .serialized, .countsResources, .stopsServers)
struct AlertTests {
    @Test
    func `A file, a command and the endpoints that SIGHUP finds replace those of before, and a file that cannot be opened changes nothing`()
        async throws
    {
        let isUp = BehaviorRelay(value: true)
        let server = try running(.get("/flip") { _ in isUp.value ? .text("ok") : .text("no", status: 500) })
        let folder = try TestFolder()
        let (first, second, third) = ("\(folder.path)/first", "\(folder.path)/second", "\(folder.path)/third")
        let configure = { (name: String, alerts: String) throws -> String in
            let endpoint = "{\"name\": \"\(name)\", \"url\": \"\(server.baseURL)/flip\"}"
            return try folder.file("config.json", "{\"interval\": 0.05, \"alerts\": {\(alerts)}, \"endpoints\": [\(endpoint)]}")
        }
        let config = try configure("one", "\"file\": \"\(first)\"")
        let run = try PipedRun(["watch", "--config", config])
        let prints = { (text: String) async -> Bool in
            await run.output.wait { $0.firstRange(of: Array(text.utf8)) != nil }
        }
        let writes = { (file: String, text: String) async -> Bool in
            // Each check is a line, after which the file is looked at again.
            await run.output.wait { _ in (try? String(contentsOfFile: file, encoding: .utf8))?.contains(text) == true }
        }
        #expect(await prints("one"))
        isUp.accept(false)
        #expect(await writes(first, "\"state\":\"down\""))
        isUp.accept(true)
        #expect(await writes(first, "\"state\":\"up\""))

        // The fault is said, and the first file still counts.
        _ = try configure("two", "\"file\": \"/nonexistent/alerts\"")
        run.child.send(SIGHUP)
        #expect(await run.errors.wait { $0.firstRange(of: Array("/nonexistent/alerts: No such file".utf8)) != nil })
        let before = try String(contentsOfFile: first, encoding: .utf8).count
        isUp.accept(false)
        #expect(await run.output.wait { _ in ((try? String(contentsOfFile: first, encoding: .utf8)) ?? "").count > before })
        isUp.accept(true)
        #expect(!run.output.text.contains("two"))

        _ = try configure("new", "\"file\": \"\(second)\", \"command\": \"echo $PULSE_NAME $PULSE_STATE >> \(third)\"")
        run.child.send(SIGHUP)
        #expect(await prints("new"))
        isUp.accept(false)
        #expect(await writes(second, "\"name\":\"new\""))
        #expect(await writes(third, "new down"))
        #expect(try !String(contentsOfFile: first, encoding: .utf8).contains("new"))
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
        #expect(folder.names == ["config.json", "first", "second", "third"])
    }

    @Test func `The page of responses says why a recording has no bodies`() throws {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: "h")
        let check = Check(
            target: target, time: Date(timeIntervalSince1970: 1), latency: .milliseconds(1),
            outcome: .down(status: 503, reason: "status 503"), body: "secret")
        let recorded = try #require(CheckLine.check(try JSON(parsing: CheckLine.json(check))))
        let page = { (check: Check) in WatchBoard().applying(.check(check)).entries[0].detail.pages[1].text.string }
        #expect(page(check).hasSuffix("\nsecret"))
        #expect(page(recorded).hasSuffix("\nRecordings and shared checks have no bodies, because these may be confidential."))
    }

    @Test func `The details are made for the entry that is asked for them, and follow its changes`() throws {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: "h")
        let board = WatchBoard().applying(.targets([target])).applying(.success(of: target, at: 1))
        let next = board.applying(.success(of: target, at: 2))
        #expect(board.entries[0].isSame(as: board.entries[0]) && !board.entries[0].isSame(as: next.entries[0]))
        #expect(next.entries[0].detail.chart.points.count == 2)
        #expect(next.applying(.problem("x")).entries[0].isSame(as: next.entries[0]))
    }

    @Test(arguments: [(50.0, "1 minute"), (110, "2 minutes"), (290, "5 minutes"), (590, "10 minutes")])
    func `The axis of the latency grows in small steps`(seconds: Double, start: String) throws {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: "h")
        let board = [0, seconds].reduce(WatchBoard()) { $0.applying(.success(of: target, at: $1)) }
        #expect(board.entries[0].detail.chart.axis.start == "\(start) ago")
    }
}
