import Foundation
import NetNodes

/// Where the events of a watch go beside the screen: the recording, the alerts, other screens, the exported statistics.
struct WatchSinks: Sendable {
    /// Emits when the bell is to be rung.
    let bells = PublishRelay<Void>()
    /// The latest state, for the export.
    let board: BehaviorRelay<WatchBoard>
    private let alerts: AlertOptions
    private let export: URL?
    private let recording: EventFile?
    private let alertFile: EventFile?
    private let shared: SharedChecks?
    private let scheduler: any Scheduler

    /// - Throws: `UsageError` if a file cannot be opened.
    init(_ options: WatchOptions, alerts: AlertOptions, board: WatchBoard, scheduler: any Scheduler) throws(UsageError) {
        self.alerts = alerts
        self.scheduler = scheduler
        self.board = BehaviorRelay(value: board)
        export = options.export
        shared = options.publish.map { SharedChecks($0, scheduler: scheduler) }
        if let file = options.record { recording = try EventFile(file, flag: "--record") } else { recording = nil }
        if let file = alerts.file { alertFile = try EventFile(file, flag: "--alerts") } else { alertFile = nil }
    }

    /// Returns the events along with what the sinks have to say.
    func following(_ events: Observable<WatchEvent>) -> Observable<WatchEvent> {
        events.multicast({ PublishSubject<WatchEvent>() }) { events in
            let checks = events.compactMap(\.check)
            return .merge(recorded(checks), alerted(checks.changes), shared?.publishing(checks) ?? .empty(), events)
        }
    }

    /// Emits the reason when a file can no longer be written.
    var failures: Observable<String> {
        .merge([recording, alertFile].compactMap { $0?.failure.asObservable() })
    }

    private func recorded(_ checks: Observable<Check>) -> Observable<WatchEvent> {
        guard let recording else { return .empty() }
        return checks.do(onNext: { recording.append(CheckLine.json($0)) }).silenced()
    }

    private func alerted(_ changes: Observable<StateChange>) -> Observable<WatchEvent> {
        let bells = bells
        let scheduler = scheduler
        let ringing = alerts.rings ? changes.filter(\.isDown).do(onNext: { _ in bells.accept(()) }).silenced() : .empty()
        let writing = alertFile.map { file in changes.do(onNext: { file.append($0.json) }).silenced() } ?? .empty()
        let running = alerts.command.map { command in
            changes.through(AnyNode { $0.run(command, scheduler: scheduler) }, .merge(max: Self.mostCommands))
        }
        return .merge(ringing, writing, running ?? .empty())
    }

    /// Finishes the files and writes the statistics.
    ///
    /// - Throws: what prevented it.
    func finish() throws {
        recording?.flush()
        alertFile?.flush()
        guard let export else { return }
        try Export.write(board.value, to: export)
    }

    /// How many commands of alerts run at a time.
    private static let mostCommands = 4
}

extension WatchEvent {
    var check: Check? { if case .check(let check) = self { check } else { nil } }
}

extension Observable {
    /// The same stream with no events but its end.
    fileprivate func silenced() -> Observable<WatchEvent> { ignoreElements().map { _ -> WatchEvent in } }
}
