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
