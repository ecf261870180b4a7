// The blocks of `Docs/SystemSources.md`, with what they take for granted.
import Foundation
import Observation
import SystemSources

func lines() -> [Observable<String>] {
    let lines = Observable.lines(of: URL(filePath: "/var/log/syslog"))
    let typed = Observable.standardInputLines()
    return [lines, typed]
}

func programs() async throws -> Observable<Command.Event> {
    let commits = Command("git", "log", "--oneline").lines()
    let tests = Command("make", "test").run()
    let kernel = try await Command("uname", "-r").output().value.text
    print(kernel)
    return .merge(commits.map { .output($0) }, tests)
}

func growingFile(log: URL) -> Observable<String> {
    let new = Observable.lines(following: log)
    let all = Observable.lines(following: log, from: .beginning)
    let latest = Observable.lines(following: log, from: .lastLines(10))
    return .merge(new, all, latest)
}

func writtenFile(lines: Observable<String>, log: URL, state: Data, file: URL) -> Completable {
    let logged = lines.write(appendingTo: log, rotation: FileRotation(size: 10 << 20, period: .hours(24), keeping: 7))
    let saved = Observable.just(state).write(replacing: file)
    return .zip(logged, saved)
}

struct Journal: Sendable {
    let file: URL
    var disk: any Disk = .system

    func lines() -> Observable<String> { .lines(of: file, on: disk) }
    func write(_ lines: Observable<String>) -> Completable { lines.write(appendingTo: file, flushing: .each, on: disk) }
    func clear() -> Completable { disk.remove(file).andThen(disk.flush(namesIn: file.deletingLastPathComponent())) }
}

func directories(inbox: URL) -> Observable<DirectoryChange> {
    let changes = Observable.changes(in: inbox, includingExisting: true)
    return changes
}

func wallClock(berlin: TimeZone, scheduler: any Scheduler) -> Observable<Date> {
    let samples = Observable.every(.minutes(5), scheduler: scheduler)
    let reports = Observable.daily(at: TimeOfDay(7, 30), in: berlin, scheduler: scheduler)
    let checks = Observable.cron("*/5 8-17 * * mon-fri", in: berlin, scheduler: scheduler)
    return .merge(samples, reports, checks)
}

func virtualClock(newYear: Date, berlin: TimeZone) {
    let scheduler = VirtualTimeScheduler()
    let clock = VirtualWallClock(newYear, scheduler: scheduler)
    let reports = Observable.daily(at: TimeOfDay(7, 30), in: berlin, clock: clock, scheduler: scheduler)
    let subscription = reports.subscribe(onNext: { date in print(date) })
    scheduler.advance(by: .hours(24 * 365))
    subscription.dispose()
}

extension Notification.Name {
    static let titleChanged = Notification.Name("titleChanged")
}

@MainActor @Observable
final class Titled {
    var title = ""
}

@MainActor
func models(model: Titled, bag: DisposeBag) {
    let titles = NotificationCenter.default.notifications(named: .titleChanged) { $0.userInfo?["title"] as? String }
    titles.bind(with: model) { model, title in model.title = title }.disposed(by: bag)
    Observable.observe { model.title }.bind { title in print(title) }.disposed(by: bag)
    MainLoop.signals(SIGUSR1, SIGUSR2).bind { signal in print(signal) }.disposed(by: bag)
}

struct Quote: Sendable {
    let symbol: String
}

struct LogRecord: Encodable {
    let event: String
    let symbol: String
    let running: Int

    init(_ event: String, _ symbol: String, _ running: Int) {
        (self.event, self.symbol, self.running) = (event, symbol, running)
    }

    var line: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

struct QuoteService: Sendable {
    let quotes: Observable<Quote>
    let store: @Sendable (Quote) -> Observable<Quote>
    let folder: URL
    let health: ServiceHealth
    let scheduler: any Scheduler

    /// Stores quotes, and answers probes meanwhile. At the stop request nothing new begins, and what is being stored is finished.
    func run(until stops: Observable<Int32>) -> Observable<Never> {
        let load = LoadIndicator()
        // Not ready while the source fails, or has told nothing for a minute, and while all ten places are taken.
        let source = health.check("quotes", maximumAge: .seconds(60))
        let places = health.check("places")
        // Not alive when nothing has been stored for ten minutes, whatever the reason: then a new start may help.
        let work = health.check("work", for: .liveness, maximumAge: .minutes(10))
        let stored = quotes.take(until: stops)
            .reported(to: source)
            .retry(.exponential(initial: .seconds(1), maxAttempts: .max), scheduler: scheduler)
            .flatMap(maxConcurrent: 10) { quote in store(quote).trackActivity(load) }
            .reported(to: work)
        let log = stored.withLatestFrom(load.count) { quote, running in try LogRecord("stored", quote.symbol, running).line }
            .write(appendingTo: folder.appending(path: "log"), rotation: FileRotation(size: 10 << 20, keeping: 7), scheduler: scheduler)
        let watching = load.count.take(until: stops).do(onNext: { running in places.on(.next(running < 10)) })
        let answering = health.answer(on: folder.appending(path: "health")).asObservable().take(until: stops)
        return .merge(log.asObservable(), watching.ignoreElements(), answering)
    }
}

func probe(folder: URL) async throws {
    let report = try await ServiceHealth.ask(.readiness, at: folder.appending(path: "health")).value
    print(report)
    exit(report.isHealthy ? 0 : 1)
}
