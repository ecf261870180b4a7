import Foundation
import Streams

/// A program with a bug that nobody finds by reading a log: it neither fails nor says anything.
struct Story {
    let name: String
    let start: @MainActor (DisposeBag) -> Void
}

@MainActor let stories = [
    Story(name: "never-released", start: neverReleased), Story(name: "forgotten-connect", start: forgottenConnect),
    Story(name: "slow-observer", start: slowObserver), Story(name: "zip-of-one-source", start: zipOfOneSource),
    Story(name: "retry-storm", start: retryStorm), Story(name: "cold-twice", start: coldTwice),
    Story(name: "hot-overflow", start: hotOverflow), Story(name: "starved-limiter", start: starvedLimiter),
    Story(name: "blocked-main-loop", start: blockedMainLoop), Story(name: "overtaken", start: overtaken),
]

private let worker = SerialDispatchQueueScheduler(qos: .userInitiated, label: "worker")
private let clock = SerialDispatchQueueScheduler(qos: .userInitiated, label: "clock")

/// A page of a screen, which shows prices as long as it exists. Or does it?
private final class Page {
    private let subscription: any Disposable

    init(_ prices: Observable<Int>) {
        subscription = prices.map { $0 * 2 }.subscribe(onNext: { _ in })
    }
}

/// Twice a second a page is opened, and the one before is released; its subscription is not.
@MainActor
private func neverReleased(_ bag: DisposeBag) {
    let prices = Observable<Int>.interval(.milliseconds(100), scheduler: clock)
    let page = Lock<Page?>(nil)
    Observable<Int>.interval(.milliseconds(500), scheduler: MainScheduler.instance)
        .subscribe(onNext: { _ in page.withLock { $0 = Page(prices) } })
        .disposed(by: bag)
}

/// Two observers share a stream that nobody connects.
@MainActor
private func forgottenConnect(_ bag: DisposeBag) {
    let quotes = Observable<Int>.interval(.milliseconds(100), scheduler: clock).publish()
    quotes.map { "price \($0)" }.subscribe(onNext: { print($0) }).disposed(by: bag)
    quotes.filter { $0 % 10 == 0 }.subscribe(onNext: { print("round: \($0)") }).disposed(by: bag)
}

/// Lines are read faster than they are stored.
@MainActor
private func slowObserver(_ bag: DisposeBag) {
    Observable.range(start: 1, count: 1_000_000)
        .subscribe(on: clock)
        .map { "line \($0)" }
        .observe(on: worker, overflow: .suspend(capacity: 64))
        .subscribe(onNext: { _ in Thread.sleep(forTimeInterval: 0.5) })
        .disposed(by: bag)
}

/// Each reading is paired with an alarm of the same source, which hardly ever has one.
@MainActor
private func zipOfOneSource(_ bag: DisposeBag) {
    let readings = Observable<Int>.interval(.milliseconds(20), scheduler: clock).share()
    let alarms = readings.filter { $0 > 1_000_000 }
    Observable.zip(readings, alarms) { "\($0) \($1)" }.subscribe(onNext: { print($0) }).disposed(by: bag)
}

private struct Refused: Error {}

/// A service that refuses each connection is asked again at once, for ever.
@MainActor
private func retryStorm(_ bag: DisposeBag) {
    Observable<Int>.timer(.milliseconds(2), scheduler: clock)
        .map { _ in throw Refused() }
        .retry()
        .subscribe(onNext: { (answer: Int) in print(answer) })
        .disposed(by: bag)
}

/// The total and the list of one report: it is made twice, because the stream is cold.
@MainActor
private func coldTwice(_ bag: DisposeBag) {
    let report = Observable<Int>.interval(.milliseconds(50), scheduler: clock).map { $0 * $0 }
    report.scan(0, accumulator: +).subscribe(onNext: { _ in }).disposed(by: bag)
    report.pairwise().subscribe(onNext: { _ in }).disposed(by: bag)
}

/// A subject emits a thousand elements a second; those that do not fit are dropped.
@MainActor
private func hotOverflow(_ bag: DisposeBag) {
    let positions = PublishSubject<Int>()
    positions
        .observe(on: worker, overflow: .dropOldest(capacity: 32))
        .subscribe(onNext: { _ in Thread.sleep(forTimeInterval: 0.05) })
        .disposed(by: bag)
    Observable<Int>.interval(.milliseconds(1), scheduler: clock).subscribe(positions).disposed(by: bag)
}

/// One caller takes every permit of a limiter; the other waits.
@MainActor
private func starvedLimiter(_ bag: DisposeBag) {
    let limiter = RateLimiter(1, per: .seconds(1), maxWait: .seconds(100_000), scheduler: clock)
    Observable<Int>.interval(.milliseconds(100), scheduler: clock)
        .flatMap { Observable.just($0).rateLimit(limiter) }
        .subscribe(onNext: { _ in })
        .disposed(by: bag)
    Observable<Int>.timer(.seconds(1), scheduler: clock)
        .flatMap { Observable.just($0).rateLimit(limiter) }
        .subscribe(onNext: { _ in print("the report is ready") })
        .disposed(by: bag)
}

/// A handler blocks the main loop for two seconds at a time, and everything else of it waits.
@MainActor
private func blockedMainLoop(_ bag: DisposeBag) {
    Observable<Int>.interval(.milliseconds(100), scheduler: clock)
        .observe(on: MainScheduler.instance)
        .subscribe(onNext: { print($0) })
        .disposed(by: bag)
    Observable<Int>.interval(.milliseconds(500), scheduler: MainScheduler.instance)
        .subscribe(onNext: { _ in Thread.sleep(forTimeInterval: 2) })
        .disposed(by: bag)
}

/// A search for each letter; none is disposed when the next begins, and an old answer overtakes a new one.
@MainActor
private func overtaken(_ bag: DisposeBag) {
    Observable<Int>.interval(.milliseconds(200), scheduler: clock)
        .flatMap(maxConcurrent: 64) { letter in
            Observable<Int>.timer(.milliseconds(letter % 2 == 0 ? 4_000 : 300), scheduler: clock).map { _ in letter }
        }
        .subscribe(onNext: { print("answer to letter \($0)") })
        .disposed(by: bag)
}
