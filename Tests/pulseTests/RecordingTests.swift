import Foundation
import NetNodes
import StreamsTesting
import TestSupport
import Testing

@testable import pulse

@Suite("Checks are recorded and replayed", .countsResources)
struct RecordingTests {
    private func check(_ name: String?, _ second: Double, down reason: String? = nil) throws -> Check {
        var target = WatchTarget(try #require(URL(string: "http://user:secret@h/caf%C3%A9?token=abc")), name: name, group: "g")
        target.headers = ["Authorization": "Bearer secret"]
        return Check(
            target: target, time: Date(timeIntervalSince1970: 1_700_000_000 + second), latency: .microseconds(12_345),
            outcome: reason.map { .down(status: nil, reason: $0) } ?? .up(status: 204),
            phases: Phases(connect: 1.5, firstByte: 10, body: 0.25, isReused: false),
            certificateExpiry: Date(timeIntervalSince1970: 1_800_000_000), body: "secret body")
    }

    private let folder = Result { try TestFolder() }

    private func file(_ lines: [String]) throws -> URL {
        URL(filePath: try folder.get().file("recording.jsonl", lines.joined(separator: "\n")))
    }

    @Test func `What a line has is read back, and nothing secret is in it`() throws {
        for original in [try check("n", 0.123), try check(nil, 7, down: "refused \"x\"\n")] {
            let line = CheckLine.json(original)
            #expect(!line.contains("secret") && !line.contains("abc") && !line.contains("\n"))
            let read = try #require(CheckLine.check(try JSON(parsing: line)))
            #expect(read.time.timeIntervalSince(original.time).magnitude < 0.001)
            #expect(read.target.name == original.target.name)
            #expect(read.target.group == "g")
            #expect(read.latency == original.latency)
            #expect(read.outcome == original.outcome)
            #expect(read.phases == original.phases)
            #expect(read.certificateExpiry == original.certificateExpiry)
        }
    }

    @Test(arguments: [0.0, 0.001, 951_782_399.999, 1_700_000_000.5, 4_102_444_800])
    func `Times are written and read without loss`(seconds: Double) throws {
        let text = Timestamp.text(Date(timeIntervalSince1970: seconds))
        #expect(text.count == 24)
        let read = try #require(Timestamp.date(text))
        #expect(abs(read.timeIntervalSince1970 - seconds) < 0.0006)
        #expect(Timestamp.text(Date(timeIntervalSince1970: 951_782_399.999)) == "2000-02-28T23:59:59.999Z")
        for broken in ["", "2000", "2000-02-28T23:59:59", "x-02-28T23:59:59Z", "99999999999-1-1T1:1:1Z"] {
            #expect(Timestamp.date(broken) == nil)
        }
    }

    @Test func `A recording is replayed under virtual time: ten hours at once, events in their order, what is no check is named`() throws {
        let checks = try (0..<10).map { try check("e\($0 % 2)", Double($0) * 3600) }
        let recording = try file([CheckLine.json(checks[0]), "no check", ""] + checks.dropFirst().map(CheckLine.json))
        let events = try Replay(recording, speed: 1).allEvents().ended().get()
        #expect(events.compactMap(\.check).map(\.time) == checks.map(\.time))
        #expect(events.contains(.problem("line 2 of the recording is no check")))
    }

    @Test func `Pausing pauses the replay, and its speed is that of the virtual time`() throws {
        let recording = try file(try (0..<60).map { CheckLine.json(try check("e", Double($0))) })
        let scheduler = VirtualTimeScheduler()
        let state = BehaviorRelay(value: DashboardState(sortableColumns: []))
        let seen = Lock<[WatchEvent]>([])
        let subscription = try Replay(recording, speed: 10).events(state.asObservable(), scheduler: scheduler)
            .subscribe(onNext: { event in seen.withLock { $0.append(event) } })
        scheduler.advance(by: .seconds(2))
        #expect(seen.withLock { $0.count } == 21)
        state.accept(state.value.applying(.character(" ")))
        scheduler.advance(by: .seconds(5))
        #expect(seen.withLock { $0.count } == 21)
        state.accept(state.value.applying(.character(" ")))
        scheduler.advance(by: .seconds(9))
        #expect(seen.withLock { $0.last } == .problem("end of the recording"))
        #expect(seen.withLock { $0.count } == 61)
        subscription.dispose()
    }

    @Test(arguments: UInt64(1)...20) func `A file of anything is replayed without harm`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let line = CheckLine.json(try check("e", 1))
        var bytes = Array(([line, line, line].joined(separator: "\n")).utf8)
        for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator) }
        let recording = try file([String(decoding: bytes, as: UTF8.self)])
        #expect(throws: Never.self) { try Replay(recording, speed: 1).allEvents().ended().get() }
    }

    @Test func `A change is the first failure, the recovery, and nothing between`() throws {
        let checks = try [
            check("a", 1), check("b", 1, down: "x"), check("a", 2, down: "y"), check("b", 2, down: "x"), check("a", 3), check("b", 3),
        ]
        let changes = try Observable.from(checks).changes.ended().get()
        #expect(
            changes.map { "\($0.check.target.id) \($0.isDown) \($0.since?.timeIntervalSince1970 ?? 0)" }
                == ["b true 0.0", "a true 1700000001.0", "a false 1700000002.0", "b false 1700000001.0"])
        let facts = changes.first?.environment ?? [:]
        #expect(facts["PULSE_NAME"] == "b" && facts["PULSE_STATE"] == "down" && facts["PULSE_ERROR"] == "x")
        #expect(!facts.values.contains { $0.contains("secret") })
    }

    @Test func `The statistics are exported as JSON and as CSV, in which no cell is a formula`() throws {
        var board = WatchBoard()
        for event in [try check("=cmd()", 1), try check("b,\"c\"", 2, down: "line\nbreak")] { board = board.applying(.check(event)) }
        let json = try JSON(parsing: Export.json(board))
        #expect(json.value(at: "1.lastError") == "line\nbreak")
        #expect(json.value(at: "0.uptime") == 100)
        let rows = Export.csv(board).components(separatedBy: "\r\n")
        #expect(rows[0].hasPrefix("name,group,url,state,"))
        #expect(rows[1].hasPrefix("'=cmd(),g,"))
        #expect(rows[2].hasPrefix("\"b,\"\"c\"\"\",g,"))
        #expect(Export.csv(WatchBoard()) == "\r\n")
    }

    @Test func `The statistics are readable by their owner only, and what prevents writing them is a sentence`() throws {
        let folder = try TestFolder()
        try Export.write(WatchBoard(), to: folder.url.appending(path: "a.csv"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/a.csv")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let error = #expect(throws: POSIXError.self) { try Export.write(WatchBoard(), to: folder.url.appending(path: "no/a.csv")) }
        #expect(error.map(ErrorWording.sentence) == "No such file or directory")
    }
}

@Suite("A board keeps what is known of endpoints that stay", .countsResources)
struct WatchBoardTests {
    private func target(_ name: String) throws -> WatchTarget { WatchTarget(try #require(URL(string: "http://\(name)")), name: name) }

    @Test func `Endpoints that stay keep their record, changed ones begin anew, removed ones are gone`() throws {
        let (a, b, c) = (try target("a"), try target("b"), try target("c"))
        let check = { (target: WatchTarget) in WatchEvent.success(of: target, at: 1) }
        var board = WatchBoard().applying(.targets([a, b])).applying(check(a)).applying(check(b))
        #expect(board.counts == (2, 0, 0))
        var changed = b
        changed.interval = .seconds(1)
        board = board.applying(.targets([c, changed, a]))
        #expect(board.records.map(\.checks) == [0, 0, 1])
        #expect(board.counts == (1, 0, 2))
    }
}
