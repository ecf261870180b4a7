import Streams

/// Chains as long as they come, with no type written in a closure. CI type-checks this file by itself and lets no expression take a second.
enum LongChains {
    /// Twenty-two operators, through which the type of the element changes seven times.
    static func mixed(
        _ numbers: Observable<Int>, _ words: Observable<String>, _ scheduler: any Scheduler
    ) -> Observable<String> {
        numbers
            .map { $0 * 2 }
            .filter { $0 > 3 }
            .distinctUntilChanged()
            .map { "\($0)" }
            .debounce(.milliseconds(300), scheduler: scheduler)
            .flatMapLatest { text in Observable.just(text.count) }
            .scan(0) { total, count in total + count }
            .withLatestFrom(words) { total, word in "\(total) \(word)" }
            .map { text in (text, text.count) }
            .filter { $0.1 > 2 }
            .do(onNext: { _ in })
            .throttle(.seconds(1), scheduler: scheduler)
            .flatMap { pair in Observable.just(pair.0) }
            .compactMap { text in text.first }
            .map { character in String(character) }
            .catchAndReturn("")
            .retry(3)
            .startWith("start")
            .skip(1)
            .take(5)
            .share()
            .observe(on: scheduler)
    }

    /// The sum of five streams, in a closure of one line.
    static func five(
        _ a: Observable<Int>, _ b: Observable<Int>, _ c: Observable<Int>, _ d: Observable<Int>, _ e: Observable<Int>
    ) -> any Disposable {
        Observable.combineLatest(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }.subscribe(onNext: { print($0) })
    }

    /// Eight streams of two types, with a closure of one line and as a tuple.
    static func eight(_ numbers: Observable<Int>, _ words: Observable<String>) -> any Disposable {
        let texts = Observable.zip(numbers, words, numbers, words, numbers, words, numbers, words) {
            "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)"
        }
        let sums = Observable.zip(numbers, numbers, numbers, numbers, numbers, numbers, numbers, numbers) {
            $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7
        }
        let counts = Observable.zip(numbers, words, numbers, words, numbers, words, numbers, words)
            .map { $0.0 + $0.2 + $0.4 + $0.6 }
        return Observable.zip(texts, sums, counts) { "\($0) \($1) \($2)" }.subscribe(onNext: { print($0) })
    }

    /// Key paths go through the closure forms.
    static func keyPaths(_ words: Observable<String>) -> Observable<Int> {
        words.filter(\.isEmpty).distinctUntilChanged(\.count).compactMap(\.first).map(\.isLetter).map(\.description.count)
    }

    /// Operators of which unavailable forms exist, which explain mistakes, between arithmetic.
    static func explained(_ numbers: Observable<Int>, _ words: Driver<String>, _ latest: BehaviorRelay<String>) -> [any Disposable] {
        let bound =
            numbers
            .map { $0 * 2 + 1 }
            .catch { _ in .just(0) }
            .retry(.delay(.seconds(1), maxAttempts: 3))
            .filter { $0 % 3 > 0 }
            .map { $0 - 1 }
            .retry(3)
            .map { "\($0)" }
            .bind(to: latest)
        let driven =
            words
            .map { $0.count + 1 }
            .flatMapLatest { Driver.just($0 * 2) }
            .filter { $0 % 3 > 0 }
            .flatMap { number in Driver.just(number + 1) }
            .debounce(.milliseconds(300))
            .map { "\($0)" }
            .drive(latest)
        return [bound, driven]
    }

    /// Arithmetic and branching in the same chain.
    static func arithmetic(_ numbers: Observable<Int>) -> Observable<Int> {
        numbers
            .map { $0 + 1 }
            .map { $0 * 2 }
            .flatMap { number in number.isMultiple(of: 2) ? Observable.just(number) : Observable.empty() }
            .map { $0 - 1 }
            .flatMapLatest { number in Observable.of(number, number + 1) }
            .scan(0) { $0 + $1 }
            .filter { $0 % 3 == 0 }
            .buffer(count: 2)
            .map { $0.reduce(0, +) }
            .reduce(0) { $0 + $1 }
    }

    /// Traits, combined by a closure of one line and as a tuple.
    static func traits(_ numbers: Driver<Int>, _ words: Driver<String>, _ single: Single<Int>) -> Single<Int> {
        let texts = Driver.combineLatest(numbers, words, numbers, words, numbers, words, numbers, words) {
            "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)"
        }
        let sums = Driver.zip(numbers, numbers, numbers, numbers, numbers, numbers) { $0 + $1 + $2 + $3 + $4 + $5 }
        let counts = Driver.combineLatest(texts, sums, numbers, numbers, numbers).map { $0.1 + $0.2 + $0.3 + $0.4 }
        return Single.zip(single, single, single) { $0 + $1 + $2 }.map { $0 + 1 }
            .flatMap { .just($0 * 2) }
            .do(onSubscribe: { _ = counts })
    }
}
