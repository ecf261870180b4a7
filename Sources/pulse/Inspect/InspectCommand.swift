import Foundation
import NetNodes
import StreamsInspector
import TerminalViews

/// `pulse inspect`: the snapshots of a process form a stream of events, the events make a board, and the board is shown.
@MainActor
struct InspectCommand {
    private let options: InspectOptions
    private let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse inspect")
    /// The scheduler of the requests, which block it.
    private let requests = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse inspect requests")

    init(options: InspectOptions) {
        self.options = options
    }

    /// - Throws: `InspectFailure` if there is no such process, or it does not answer.
    func run() throws -> Int32 {
        if options.form == .list { return try runList() }
        let process = try process()
        if options.form == .screen, let terminal = Terminal() {
            guard let process else { return try runChooser(on: terminal) }
            return dashboard(of: process).run(on: terminal)
        }
        guard let process else { return runChoice() }
        return try runOnce(process)
    }

    /// Returns the process; `nil` if there are several.
    private func process() throws(InspectFailure) -> InspectedProcess? {
        switch options.target {
        case .process(let number): return try .find(number)
        case .socket(let path): return try InspectedProcess(socket: path)
        case .only:
            let all = try InspectedProcess.all()
            guard let first = all.first else { throw .nothing }
            return all.count == 1 ? first : nil
        }
    }

    /// Lets the user choose one of the processes, and shows it.
    private func runChooser(on terminal: Terminal) throws -> Int32 {
        let processes = try InspectedProcess.all()
        let chooser = InspectChooser(theme: theme)
        let rows = processes.map { row(of: $0).startWith([$0.numberText, "…", ""]) }
        let code = chooser.run(Observable.combineLatest(rows).map(Self.lines), on: terminal, reportsMouse: options.reportsMouse)
        guard let chosen = chooser.chosen else { return code }
        return dashboard(of: processes[chosen]).run(on: terminal)
    }

    private var theme: Theme {
        options.isLight.map { $0 ? .light : .dark } ?? Theme(environment: ProcessInfo.processInfo.environment)
    }

    private func dashboard(of process: InspectedProcess) -> DashboardProgram {
        let source = InspectSource(
            snapshots: process.snapshots(options.page).subscribe(on: requests), interval: options.interval, scheduler: scheduler)
        let board = InspectBoard(interval: options.interval, isWhole: options.isWhole)
        return .inspecting(source, board: board, theme: theme, reportsMouse: options.reportsMouse)
    }

    /// Prints the processes, so that you can choose one.
    private func runChoice() -> Int32 {
        Console.printError("pulse: several processes can be inspected: say which, pulse inspect PID")
        let code = (try? runList()) ?? ExitCode.failure
        return code == ExitCode.success ? ExitCode.usage : code
    }

    private func runList() throws -> Int32 {
        let processes = try InspectedProcess.all()
        guard !processes.isEmpty else { throw InspectFailure.nothing }
        return try printing(Observable.zip(processes.map(row)).map { Self.lines($0).map { "\($0)\n" }.joined() })
    }

    /// The number of the process, its program and its chains.
    private func row(of process: InspectedProcess) -> Observable<[String]> {
        process.counts.subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))
            .timeout(options.timeout, scheduler: scheduler)
            .map { [process.numberText, $0.program, "\($0.totals.chains)"] }
            .catch { .just([process.numberText, "-", ErrorWording.sentence($0)]) }
    }

    /// The rows below each other, under the titles of their columns.
    private nonisolated static func lines(_ rows: [[String]]) -> [String] {
        let rows = [["PID", "PROGRAM", "CHAINS"]] + rows
        let widths = (0..<2).map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in (zip(row, widths).map { TerminalText.padded($0, to: $1) } + [row[2]]).joined(separator: "  ") }
    }

    /// Prints one snapshot, and evaluates the condition.
    private func runOnce(_ process: InspectedProcess) throws -> Int32 {
        let (form, isWhole) = (options.form, options.isWhole)
        let text = answer(of: process.snapshots(options.page)).map { Self.text(of: $0, form, isWhole: isWhole) }
        guard let condition = options.condition else { return try printing(text) }
        let code = Lock(ExitCode.success)
        let checked = count(condition.figure, in: process).flatMap { count in
            if condition.holds(for: count.count) {
                code.withLock { $0 = ExitCode.failure }
                Console.printError("pulse: \(count.sentence(condition))")
            }
            return text
        }
        let result = try printing(checked)
        return result == ExitCode.success ? code.withLock(\.self) : result
    }

    /// The count for a condition, of all operators of the process, whichever are shown.
    private func count(_ figure: FailCondition.Figure, in process: InspectedProcess) -> Observable<InspectCount> {
        let counts = answer(of: process.counts)
        guard figure == .leaked else { return counts.map { InspectCount(figure, in: $0, since: nil) } }
        let later = Observable<Int>.timer(options.span, scheduler: scheduler).flatMap { _ in counts }
        return counts.flatMap { earlier in later.map { InspectCount(figure, in: $0, since: earlier) } }
    }

    /// The answer to a request, which has to arrive in time.
    private func answer<Answer: Sendable>(of request: Observable<Answer>) -> Observable<Answer> {
        request.subscribe(on: requests)
            .timeout(options.timeout, other: Observable.error(InspectFailure.silent(options.timeout)), scheduler: scheduler)
    }

    private nonisolated static func text(of snapshot: InspectorSnapshot, _ form: InspectOptions.Form, isWhole: Bool) -> String {
        switch form {
        case .json: snapshot.json
        case .dot: snapshot.dot()
        case .prometheus: snapshot.prometheus()
        case .screen, .list, .text: InspectText(snapshot, isWhole: isWhole).lines.map { "\($0)\n" }.joined()
        }
    }

    /// Prints the elements of the stream, and returns at its end.
    private func printing(_ texts: Observable<String>) throws -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        let failure = Lock<(any Error)?>(nil)
        texts.observe(on: MainScheduler.instance)
            .subscribe(
                onNext: { text in MainScheduler.runOnMainActor { console.print(text) } },
                onError: { error in
                    failure.withLock { $0 = error }
                    MainLoop.stop(code: ExitCode.failure)
                },
                onCompleted: { MainScheduler.runOnMainActor { console.flush { MainLoop.stop(code: ExitCode.success) } } }
            )
            .disposed(by: MainLoop.disposeBag)
        let code = MainLoop.run()
        if let error = failure.withLock(\.self) { throw error }
        return code
    }
}

extension InspectedProcess {
    var numberText: String { number.map(String.init) ?? "-" }
}

extension InspectorSnapshot {
    /// The snapshot as the inspector sends it, in one line.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }
}

/// The reason why a process cannot be inspected.
enum InspectFailure: Error, Equatable {
    /// No process of this user can be inspected.
    case nothing
    case noSuchProcess(Int32)
    case notInspectable(Int32)
    /// The process or the socket belongs to another user.
    case otherUsers(String)
    case noSocket(String)
    /// Nothing accepts connections at the socket.
    case unreachable(String)
    case malformed(String)
    /// The error that the process reports.
    case refused(String)
    case silent(Duration)
}

extension InspectFailure: CustomStringConvertible {
    /// The way to let a process be inspected.
    static let hint = "start it with STREAMS_INSPECT=1, or let it call Inspector.start(); a release build also needs the trait Inspector"

    var description: String {
        switch self {
        case .nothing: "no process of this user can be inspected: \(Self.hint)"
        case .noSuchProcess(let process): "there is no process \(process)"
        case .notInspectable(let process): "process \(process) cannot be inspected: \(Self.hint)"
        case .otherUsers(let name): "\(name) belongs to another user, and only its own user can inspect a process"
        case .noSocket(let path): "\(path) is not a socket"
        case .unreachable(let path): "nothing answers at \(path): the process has ended"
        case .malformed(let reason): "the answer is no snapshot: \(reason)"
        case .refused(let reason): "the process answers: \(reason)"
        case .silent(let time): "the process has not answered for \(Wording.seconds(time)): it may be stopped, or be no inspector"
        }
    }

    /// The description without the address, for a place where the address is known.
    var cause: String {
        if case .unreachable = self { "the process has ended" } else { description }
    }

    var exitCode: Int32 {
        switch self {
        case .nothing, .noSuchProcess, .notInspectable, .otherUsers, .noSocket, .unreachable: ExitCode.noConnection
        case .malformed, .refused: ExitCode.malformedResponse
        case .silent: ExitCode.timeout
        }
    }
}
