import Dispatch
import Foundation
import NetNodes

/// The destinations of the events of a watch besides the screen: the recording, the alerts, other screens, the exported statistics.
struct WatchSinks: Sendable {
    /// Emits when the bell is to be rung.
    let bells = PublishRelay<Void>()
    /// The latest state, for the export.
    let board: BehaviorRelay<WatchBoard>
    private let alerting: BehaviorRelay<Alerting>
    private let export: URL?
    private let recording: EventFile?
    private let shared: SharedChecks?
    private let scheduler: any Scheduler

    /// - Throws: `UsageError` if a file cannot be opened.
    init(
        _ options: WatchOptions, alerting: BehaviorRelay<Alerting>, board: WatchBoard, scheduler: any Scheduler
    ) throws(UsageError) {
        self.alerting = alerting
        self.scheduler = scheduler
        self.board = BehaviorRelay(value: board)
        export = options.export
        shared = options.publish.map { SharedChecks($0, scheduler: scheduler) }
        if let file = options.record { recording = try EventFile(file, flag: "--record") } else { recording = nil }
    }

    /// Returns the events together with the problems of the sinks.
    func following(_ events: Observable<WatchEvent>) -> Observable<WatchEvent> {
        events.multicast({ PublishSubject<WatchEvent>() }) { events in
            let checks = events.compactMap(\.check)
            return .merge(recorded(checks), alerted(checks.changes), shared?.publishing(checks) ?? .empty(), events)
        }
    }

    /// Emits the reason when a file can no longer be written.
    var failures: Observable<String> {
        let alertFiles = alerting.asObservable().flatMapLatest { $0.file?.failure.asObservable() ?? .never() }
        return .merge(recording?.failure.asObservable() ?? .empty(), alertFiles)
    }

    private func recorded(_ checks: Observable<Check>) -> Observable<WatchEvent> {
        guard let recording else { return .empty() }
        return checks.do(onNext: { recording.append(CheckLine.json($0)) }).silenced()
    }

    /// Rings the bell, writes and runs commands, as the alerts at the moment of a change require.
    private func alerted(_ changes: Observable<StateChange>) -> Observable<WatchEvent> {
        let (bells, scheduler) = (bells, scheduler)
        let alerts = changes.withLatestFrom(alerting.asObservable()) { (change: $0, alerting: $1) }
            .do(onNext: { alert in
                if alert.alerting.options.rings, alert.change.isDown { bells.accept(()) }
                alert.alerting.file?.append(alert.change.json)
            })
        let commands = alerts.compactMap { change, alerting in alerting.options.command.map { (change: change, command: $0) } }
        return commands.through(AnyNode { $0.change.run($0.command, scheduler: scheduler) }, .merge(max: Self.mostCommands))
    }

    /// Finishes the files and writes the statistics.
    ///
    /// - Throws: the error that prevented it.
    func finish() throws {
        recording?.flush()
        alerting.value.file?.flush()
        guard let export else { return }
        try Export.write(board.value, to: export)
    }

    /// The number of alert commands that may run at a time.
    private static let mostCommands = 4
}

extension WatchEvent {
    var check: Check? { if case .check(let check) = self { check } else { nil } }
}

extension Observable {
    /// Returns the same stream without elements, only with its end.
    fileprivate func silenced() -> Observable<WatchEvent> { ignoreElements().map { _ -> WatchEvent in } }
}

/// An event of a watch.
enum WatchEvent: Sendable, Equatable {
    /// The endpoints that are checked from now on.
    case targets([WatchTarget])
    case check(Check)
    /// A problem of the watch itself; `nil` when it is solved.
    case problem(String?)
}

/// A file to which a queue of its own appends lines. Only its owner can read it, because addresses and errors may be confidential.
///
/// The first line that cannot be written ends the program: see ``failure``.
final class EventFile: Sendable {
    /// The reason why a line could not be written.
    let failure = PublishRelay<String>()
    private let path: String
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "pulse event file")

    /// - Throws: `UsageError` if the file cannot be opened.
    init(_ file: URL, flag: String) throws(UsageError) {
        path = file.relativePath
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UsageError("pulse watch: \(flag) \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
    }

    func append(_ line: String) {
        queue.async { [self] in
            do throws(POSIXError) { try Data((line + "\n").utf8).append(to: descriptor) } catch {
                failure.accept("\(path) could not be written: \(String(cString: strerror(error.code.rawValue)))")
            }
        }
    }

    /// Waits until all lines are written.
    func flush() {
        queue.sync {}
    }
}

/// The statistics of a watch as a file: JSON, or CSV for a spreadsheet.
enum Export {
    /// Writes the file completely or not at all, for its owner only.
    ///
    /// - Throws: `POSIXError`.
    static func write(_ board: WatchBoard, to file: URL) throws {
        let isCSV = file.pathExtension.lowercased() == "csv"
        try Data((isCSV ? csv(board) : json(board)).utf8).writeWhole(to: file)
    }

    static func json(_ board: WatchBoard) -> String {
        JSON.array(board.records.map { .object(JSON.Object(members($0))) }).text(.pretty) + "\n"
    }

    static func csv(_ board: WatchBoard) -> String {
        let rows = board.records.map { members($0).map { field($0.1) }.joined(separator: ",") }
        let names = board.records.first.map { members($0).map(\.0) } ?? []
        return ([names.joined(separator: ",")] + rows).joined(separator: "\r\n") + "\r\n"
    }

    /// Returns the same members for each endpoint, so that they can be columns too.
    private static func members(_ record: EndpointRecord) -> [(String, JSON)] {
        let target = record.target
        return [
            ("name", JSON(target.name ?? target.id)), ("group", target.group.map { JSON($0) } ?? .null),
            ("url", JSON(target.shownURL)), ("state", record.last.map { $0.isUp ? "up" : "down" } ?? "waiting"),
            ("since", record.since.map { JSON(Timestamp.text($0)) } ?? .null), ("checks", JSON(record.checks)),
            ("failures", JSON(record.failures)), ("uptime", number(record.uptime)),
            ("status", record.last?.status.map { JSON($0) } ?? .null), ("latencyMilliseconds", number(record.last?.latency.milliseconds)),
            ("p50Milliseconds", number(record.percentile(50))), ("p95Milliseconds", number(record.percentile(95))),
            ("p99Milliseconds", number(record.percentile(99))),
            ("certificateExpiry", record.certificateExpiry.map { JSON(Timestamp.text($0)) } ?? .null),
            ("lastError", record.lastFailure?.reason.map { JSON($0) } ?? .null),
            ("lastErrorTime", record.lastFailure.map { JSON(Timestamp.text($0.time)) } ?? .null),
        ]
    }

    private static func number(_ value: Double?) -> JSON {
        value.map { JSON(($0 * 1000).rounded() / 1000) } ?? .null
    }

    /// Returns a field as in RFC 4180. An apostrophe precedes one that a spreadsheet would take for a formula.
    private static func field(_ value: JSON) -> String {
        guard let text = value.string else { return value == .null ? "" : value.text() }
        let safe = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
