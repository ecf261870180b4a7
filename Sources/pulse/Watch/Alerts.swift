import Foundation
import NetNodes
import SystemSources

/// The reactions to the changes of endpoints, with their file open.
struct Alerting: Sendable {
    let options: AlertOptions
    let file: EventFile?

    /// Opens the file; that of the last alerts stays open if it is the same.
    ///
    /// - Throws: `UsageError` if the file cannot be opened.
    init(_ options: AlertOptions, after last: Alerting? = nil) throws(UsageError) {
        self.options = options
        guard let path = options.file else {
            file = nil
            return
        }
        if let last, last.options.file == path { file = last.file } else { file = try EventFile(path, flag: "--alerts") }
    }
}

/// A change of an endpoint's state.
struct StateChange: Sendable, Equatable {
    let check: Check
    /// The time of the last change before it; `nil` for the first check.
    let since: Date?

    var isDown: Bool { !check.isUp }
}

extension Observable where Element == Check {
    /// Emits a change when an endpoint goes down, even at its first check, and when it comes up again.
    var changes: Observable<StateChange> {
        scan((states: [String: (isUp: Bool, since: Date)](), change: StateChange?.none)) { last, check in
            let state = last.states[check.target.id]
            guard state?.isUp != check.isUp else { return (last.states, nil) }
            var states = last.states
            states[check.target.id] = (check.isUp, check.time)
            return (states, state == nil && check.isUp ? nil : StateChange(check: check, since: state?.since))
        }
        .compactMap(\.change)
    }
}

extension StateChange {
    /// One JSON object on one line.
    var json: String {
        let since = since.map { [("since", JSON(Timestamp.text($0)))] } ?? []
        return JSON.object(JSON.Object([("state", JSON(isDown ? "down" : "up"))] + CheckLine.members(check) + since)).text()
    }

    /// The facts as variables of an environment.
    var environment: [String: String] {
        [
            "PULSE_NAME": check.target.name ?? check.target.id, "PULSE_URL": check.target.shownURL,
            "PULSE_GROUP": check.target.group ?? "", "PULSE_STATE": isDown ? "down" : "up",
            "PULSE_STATUS": check.status.map(String.init) ?? "", "PULSE_ERROR": check.reason ?? "",
            "PULSE_LATENCY_MS": Wording.number(check.latency.milliseconds, places: 3), "PULSE_TIME": Timestamp.text(check.time),
            "PULSE_SINCE": since.map(Timestamp.text) ?? "",
        ]
    }

    /// Runs a shell command with the facts in its environment. Emits a sentence if it failed.
    ///
    /// A command has half a minute; its output is not shown.
    func run(_ command: String, scheduler: any Scheduler) -> Observable<WatchEvent> {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1.replacing("\0", with: "") }
        return Command("/bin/sh", arguments: ["-c", command], environment: variables)
            .run()
            .compactMap { if case .exited(let status) = $0 { status } else { nil } }
            .timeout(Self.patience, scheduler: scheduler)
            .filter { !$0.isSuccess }
            .map { .problem("the alert command ended with \($0.inWords)") }
            .catch { .just(.problem("the alert command: \(ErrorWording.sentence($0))")) }
    }

    private static let patience = Duration.seconds(30)
}

extension Command.ExitStatus {
    fileprivate var inWords: String {
        switch self {
        case .code(let code): "code \(code)"
        case .signal(let number): "signal \(number)"
        }
    }
}
