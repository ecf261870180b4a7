import StreamsTesting

extension Inventory {
    static let filtering: [Entry] = [
        entry("filter") { _ in numbers.filter { $0 > 1 } },
        entry("ignoreElements") { _ in numbers.ignoreElements() },
        entry("unwrap") { _ in numbers.map { Optional($0) }.unwrap() },
        entry("distinctUntilChanged") { _ in numbers.distinctUntilChanged() },
        entry("distinctUntilChanged(key)") { _ in numbers.distinctUntilChanged { $0 % 2 } },
        entry("distinctUntilChanged(by:)") { _ in numbers.distinctUntilChanged(by: { $0 == $1 }) },
        entry("distinct") { _ in numbers.distinct() },
        entry("distinct(capacity:)") { _ in numbers.distinct(capacity: 2) { $0 % 2 } },
        entry("debounce") { time in numbers.debounce(.seconds(1), scheduler: time) },
        entry("throttle(latest:)") { time in numbers.throttle(.seconds(1), latest: false, scheduler: time) },
        entry("sample") { _ in numbers.sample(words, defaultValue: 0) },
        entry("sample(period)") { time in numbers.sample(.seconds(1), scheduler: time) },
        entry("audit") { time in numbers.audit(.seconds(1), scheduler: time) },
        entry("pausable") { _ in numbers.pausable(Observable.just(true)) },
        entry("partition") { _ in
            let (even, odd) = numbers.partition { $0.isMultiple(of: 2) }
            return Observable.merge(even, odd)
        },
    ]

    static let places: [Entry] = [
        entry("element(at:)") { _ in numbers.element(at: 1) },
        entry("first") { _ in numbers.first() },
        entry("last") { _ in numbers.last() },
        entry("single") { _ in numbers.single() },
        entry("single(where)") { _ in numbers.single { $0 == 2 } },
        entry("take") { _ in numbers.take(1) },
        entry("take(for:)") { time in numbers.take(for: .seconds(1), scheduler: time) },
        entry("take(while:behavior:)") { _ in numbers.take(while: { $0 < 2 }, behavior: .inclusive) },
        entry("take(until:)") { _ in numbers.take(until: Observable<Int>.never()) },
        entry("takeLast") { _ in numbers.takeLast(1) },
        entry("takeLast(for:)") { time in numbers.takeLast(for: .seconds(1), scheduler: time) },
        entry("skip") { _ in numbers.skip(1) },
        entry("skip(for:)") { time in numbers.skip(for: .seconds(1), scheduler: time) },
        entry("skip(while:)") { _ in numbers.skip(while: { $0 < 2 }) },
        entry("skip(until:)") { _ in numbers.skip(until: words) },
        entry("skipLast") { _ in numbers.skipLast(1) },
    ]

    static let combining: [Entry] = [
        entry("combineLatest") { _ in Observable.combineLatest(numbers, words, delayErrors: true) { "\($0)\($1)" } },
        entry("combineLatest of 8") { _ in
            Observable.combineLatest(numbers, words, numbers, words, numbers, words, numbers, words).map { $0.7 }
        },
        entry("combineLatest of a collection") { _ in Observable.combineLatest([numbers, others]) { $0.reduce(0, +) } },
        entry("zip") { _ in Observable.zip(numbers, words, delayErrors: true) { "\($0)\($1)" } },
        entry("zip of 8") { _ in Observable.zip(numbers, words, numbers, words, numbers, words, numbers, words).map { $0.7 } },
        entry("zip of a collection") { _ in Observable.zip([numbers, others]) { $0.reduce(0, +) } },
        entry("merge") { _ in Observable.merge(numbers, others, delayErrors: true) },
        entry("merge of a collection") { _ in Observable.merge([numbers, others]) },
        entry("merge(maxConcurrent:overflow:delayErrors:)") { _ in inner.merge(maxConcurrent: 1, overflow: .unbounded, delayErrors: true) },
        entry("concat") { _ in Observable.concat(numbers, others, delayErrors: true) },
        entry("concat of a sequence") { _ in Observable.concat([numbers, others]) },
        entry("concat(_:)") { _ in numbers.concat(others) },
        entry("concat of inner streams") { _ in inner.concat(delayErrors: true) },
        entry("startWith") { _ in numbers.startWith(0) },
        entry("endWith") { _ in numbers.endWith(4) },
        entry("withLatestFrom") { _ in numbers.withLatestFrom(words) },
        entry("withLatestFrom(resultSelector:)") { _ in numbers.withLatestFrom(words) { "\($0)\($1)" } },
        entry("withLatestFrom of two") { _ in numbers.withLatestFrom(words, others) { "\($0)\($1)\($2)" } },
        entry("withLatestFrom of three") { _ in numbers.withLatestFrom(words, others, words) { "\($0)\($1)\($2)\($3)" } },
        entry("amb") { _ in Observable.amb([numbers, others]) },
        entry("amb(_:)") { _ in numbers.amb(others) },
        entry("switchLatest") { _ in inner.switchLatest() },
        entry("ifEmpty(default:)") { _ in numbers.ifEmpty(default: 0) },
        entry("ifEmpty(switchTo:)") { _ in numbers.ifEmpty(switchTo: others) },
        entry("sequenceEqual") { _ in numbers.sequenceEqual(others) },
    ]

    static let errorHandling: [Entry] = [
        entry("catch") { _ in failing.catch { _ in numbers } },
        entry("catch(sequence:)") { _ in Observable.catch(sequence: [failing, numbers]) },
        entry("catchAndReturn") { _ in failing.catchAndReturn(0) },
        entry("catchAndComplete") { _ in failing.catchAndComplete() },
        entry("retry") { _ in numbers.retry() },
        entry("retry(_:)") { _ in failing.retry(2) },
        entry("retry(when:)") { _ in failing.retry(when: { errors in errors.take(1) }) },
        entry("retry(policy) delay") { time in failing.retry(.delay(.seconds(1), maxAttempts: 2), scheduler: time) },
        entry("retry(policy) linear") { time in failing.retry(.linear(step: .seconds(1), maxAttempts: 2), scheduler: time) },
        entry("retry(policy) exponential") { time in
            failing.retry(
                .exponential(initial: .seconds(1), cap: .seconds(9), jitter: 0.5, maxAttempts: 2).when { $0 is TestError },
                scheduler: time)
        },
        entry("mapError") { _ in failing.mapError { _ in TestError("other") } },
        entry("timeout") { time in numbers.timeout(.seconds(1), scheduler: time) },
        entry("timeout(other:)") { time in numbers.timeout(.seconds(1), other: others, scheduler: time) },
        entry("replaceError(with:)") { _ in failing.replaceError(with: 0).asObservable() },
    ]

    static let time: [Entry] = [
        entry("delay") { time in numbers.delay(.seconds(1), scheduler: time) },
        entry("delaySubscription") { time in numbers.delaySubscription(.seconds(1), scheduler: time) },
    ]
}
