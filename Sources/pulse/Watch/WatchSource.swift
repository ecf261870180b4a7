import Foundation
import NetNodes

/// The events of a watch as a stream: the endpoints, and the checks of each while it belongs to them.
struct WatchSource: Sendable {
    private let options: WatchOptions
    private let scheduler: any Scheduler
    private let checker: EndpointChecker
    private let replay: Replay?
    private let shared: SharedChecks?
    /// The endpoints at the start.
    let targets: [WatchTarget]
    /// The current alerts.
    let alerting: BehaviorRelay<Alerting>

    /// - Throws: `UsageError` if the configuration or the recording cannot be read, or the file of the alerts cannot be opened.
    init(_ options: WatchOptions, scheduler: any Scheduler) throws(UsageError) {
        self.options = options
        self.scheduler = scheduler
        checker = EndpointChecker(scheduler: scheduler)
        if let file = options.replay { replay = try Replay(file, speed: options.speed) } else { replay = nil }
        shared = options.view.map { SharedChecks($0, scheduler: scheduler) }
        if let file = options.config {
            let config = try WatchConfig(contentsOf: file, defaults: options)
            targets = config.all(with: options)
            alerting = BehaviorRelay(value: try Alerting(options.isOnce ? AlertOptions() : config.alerts.merging(options.alerts)))
        } else {
            targets = options.targets
            alerting = BehaviorRelay(value: try Alerting(options.alerts))
        }
    }

    /// Whether requests have been in progress for a while: a light that flickers with every fast check would say nothing, and be drawn each
    /// time.
    var isLoading: Observable<Bool> {
        checker.isLoading
            .flatMapLatest { [scheduler] isLoading in
                isLoading ? Observable<Int>.timer(Self.loadingDelay, scheduler: scheduler).map { _ in true } : .just(false)
            }
            .distinctUntilChanged()
    }

    private static let loadingDelay = Duration.milliseconds(200)

    /// Emits everything that happens while not paused; a refresh checks even while paused.
    func events(_ state: Observable<DashboardState>) -> Observable<WatchEvent> {
        if let replay { return replay.events(state, scheduler: scheduler) }
        if let shared { return shared.events(state) }
        let rereads = rereads.share()
        let targets = rereads.compactMap(\.targets).startWith(targets).share(replay: 1, scope: .whileConnected)
        let problems = rereads.map { WatchEvent.problem($0.problem) }
        let checks: Observable<Check> = targets.runningEach { target, delay in self.checks(of: target, after: delay, state) }
        return .merge(targets.map { .targets($0) }, problems, checks.map { .check($0) })
    }

    /// Emits the events of a recording without pauses, or those of the endpoints.
    func unattendedEvents() -> Observable<WatchEvent> {
        replay?.allEvents() ?? events(.unattended)
    }

    /// Checks each endpoint once, all at the same time; the results are in the order of the endpoints.
    func checkOnce() -> Observable<Check> {
        Observable.from(targets).concatMapEager { [checker] in checker.checks(of: $0) }
    }

    /// Emits the checks of one endpoint. If a check is still running when the next is due, it continues, and the next is skipped: no
    /// endpoint waits for another, and none is checked twice at a time.
    private func checks(of target: WatchTarget, after delay: Duration, _ state: Observable<DashboardState>) -> Observable<Check> {
        let ticks = Observable<Int>.timer(delay, period: target.interval, scheduler: scheduler).map { _ in }
        let checks = checker.checks(of: target)
        return Observable.merge(state.pausing(ticks), state.refreshes).through(AnyNode { checks }, .first)
    }

    /// Emits the configuration that each SIGHUP reads; its alerts are in force from then on.
    private var rereads: Observable<Reread> {
        guard let file = options.config else { return .empty() }
        return MainLoop.signals(SIGHUP).map { [options, alerting] _ in
            do throws(UsageError) {
                let config = try WatchConfig(contentsOf: file, defaults: options)
                alerting.accept(try Alerting(config.alerts.merging(options.alerts), after: alerting.value))
                return .targets(config.all(with: options))
            } catch {
                return .problem(error.description.replacing("pulse watch: ", with: ""))
            }
        }
    }

    private enum Reread: Sendable {
        case targets([WatchTarget])
        /// The configuration has a problem; the endpoints and the alerts stay as they are.
        case problem(String)

        var targets: [WatchTarget]? { if case .targets(let targets) = self { targets } else { nil } }
        var problem: String? { if case .problem(let sentence) = self { sentence } else { nil } }
    }
}

extension WatchConfig {
    /// The endpoints of the command line and of the file.
    fileprivate func all(with options: WatchOptions) -> [WatchTarget] {
        (options.targets + targets).withUniqueIDs
    }
}

extension AlertOptions {
    fileprivate func merging(_ other: AlertOptions) -> AlertOptions {
        AlertOptions(rings: rings || other.rings, command: other.command ?? command, file: other.file ?? file)
    }
}

extension Observable where Element == [WatchTarget] {
    /// Runs a stream for each target while it belongs to the targets; a target that stays is not disturbed.
    ///
    /// The starts are spread, so that the checks of many endpoints do not compete: each gets a delay of its own.
    fileprivate func runningEach<Value: Sendable>(
        _ stream: @escaping @Sendable (WatchTarget, Duration) -> Observable<Value>
    ) -> Observable<Value> {
        let added = scan((known: [WatchTarget](), added: [WatchTarget]())) { last, targets in
            (targets, targets.filter { !last.known.contains($0) })
        }
        return added.flatMap { step in Observable<(Int, WatchTarget)>.from(Array(step.added.enumerated()).map { ($0.offset, $0.element) }) }
            .withLatestFrom(self) { ($0, $1) }
            .flatMap { added, targets in
                let (index, target) = added
                let apart = Swift.min(target.interval / targets.count, .milliseconds(10))
                return stream(target, apart * index).take(until: self.filter { !$0.contains(target) })
            }
    }
}
