import Foundation
import StreamsTesting

extension Inventory {
    static let creation: [Entry] = [
        entry("just") { _ in .just(1) },
        entry("just(scheduler:)") { time in .just(1, scheduler: time) },
        entry("empty") { _ in Observable<Int>.empty() },
        entry("never") { _ in Observable<Int>.never() },
        entry("error") { _ in failing },
        entry("of") { _ in Observable.of(1, 2) },
        entry("from") { _ in Observable.from([1, 2]) },
        entry("from(optional:)") { _ in Observable.from(optional: Optional(1)) },
        entry("create") { _ in
            Observable<Int>.create { observer in
                observer.onCompleted()
                return Disposables.create()
            }
        },
        entry("create(overflow:)") { _ in Observable<Int>.create(overflow: .latest) { _ in Disposables.create {} } },
        entry("deferred") { _ in Observable.deferred { numbers } },
        entry("generate") { _ in Observable.generate(initialState: 1, condition: { $0 < 3 }, iterate: { $0 + 1 }) },
        entry("range") { _ in Observable.range(start: 1, count: 2) },
        entry("repeatElement") { _ in Observable.repeatElement(1).take(2) },
        entry("repeat(count:)") { _ in numbers.repeat(count: 2) },
        entry("timer") { time in Observable<Int>.timer(.seconds(1), period: .seconds(1), scheduler: time) },
        entry("interval") { time in Observable<Int>.interval(.seconds(1), scheduler: time) },
        entry("intervalRange") { time in
            Observable.intervalRange(start: 1, count: 2, initialDelay: .zero, period: .seconds(1), scheduler: time)
        },
        entry("using") { _ in Observable.using({ BooleanDisposable() }, observableFactory: { _ in numbers }) },
        entry("fromCallable") { _ in Observable.fromCallable { 1 } },
        entry("from(asyncSequence)") { _ in
            Observable.from(
                AsyncStream<Int> { continuation in
                    continuation.yield(1)
                    continuation.finish()
                })
        },
        Entry(name: "fromAsync") { _ = try await Observable.fromAsync { 1 }.first() },
    ]

    static let transforming: [Entry] = [
        entry("map") { _ in numbers.map { $0 + 1 } },
        entry("mapTo") { _ in numbers.mapTo("x") },
        entry("compactMap") { _ in words.compactMap { Int($0) } },
        entry("enumerated") { _ in words.enumerated().map(\.index) },
        entry("scan") { _ in numbers.scan(0, accumulator: +) },
        entry("scan(into:)") { _ in numbers.scan(into: [Int]()) { $0.append($1) } },
        entry("groupBy") { _ in numbers.groupBy { $0 % 2 }.map(\.key) },
        entry("pairwise") { _ in numbers.pairwise().map { $1 - $0 } },
        entry("nwise") { _ in numbers.nwise(2) },
        entry("cast") { _ in numbers.cast(to: Int.self) },
        entry("ofType") { _ in numbers.ofType(Int.self) },
        entry("materialize") { _ in numbers.materialize() },
        entry("dematerialize") { _ in numbers.materialize().dematerialize() },
        entry("elements") { _ in numbers.materialize().elements() },
        entry("errors") { _ in failing.materialize().errors() },
        entry("timestamp") { time in numbers.timestamp(scheduler: time) },
        entry("timeInterval") { time in numbers.timeInterval(scheduler: time) },
        entry("withUnretained") { time in numbers.withUnretained(time).map { $1 } },
        entry("withUnretained(resultSelector:)") { time in numbers.withUnretained(time) { _, number in number } },
    ]

    static let flattening: [Entry] = [
        entry("flatMap") { _ in numbers.flatMap { Observable.just($0) } },
        entry("flatMap(maxConcurrent:delayErrors:)") { _ in
            numbers.flatMap(maxConcurrent: 2, delayErrors: true) { Observable.just($0) }
        },
        entry("flatMapFirst") { _ in numbers.flatMapFirst { Observable.just($0) } },
        entry("flatMapLatest") { _ in numbers.flatMapLatest { Observable.just($0) } },
        entry("concatMap") { _ in numbers.concatMap { Observable.just($0) } },
        entry("concatMapEager") { _ in numbers.concatMapEager { Observable.just($0) } },
        entry("flatMapIterable") { _ in numbers.flatMapIterable { [$0, $0] } },
        entry("expand") { _ in numbers.expand { $0 < 4 ? .just($0 + 1) : .empty() } },
        Entry(name: "mapAsync") { _ = try await numbers.mapAsync { $0 + 1 }.array() },
        Entry(name: "flatMapAsync") { _ = try await numbers.flatMapAsync(maxConcurrent: 2) { $0 + 1 }.array() },
    ]

    static let pieces: [Entry] = [
        entry("buffer(timeSpan:count:scheduler:)") { time in numbers.buffer(timeSpan: .seconds(1), count: 2, scheduler: time) },
        entry("buffer(count:skip:)") { _ in numbers.buffer(count: 2, skip: 1) },
        entry("buffer(boundary:)") { _ in numbers.buffer(boundary: words) },
        entry("window(timeSpan:count:scheduler:)") { time in
            numbers.window(timeSpan: .seconds(1), count: 2, scheduler: time).merge()
        },
        entry("window(count:skip:)") { _ in numbers.window(count: 2, skip: 1).merge() },
        entry("window(boundary:)") { _ in numbers.window(boundary: words).merge() },
    ]
}
