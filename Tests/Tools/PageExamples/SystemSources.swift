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
    return .merge(new, all)
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
