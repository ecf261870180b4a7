import StreamsTesting

/// Every operator of the package. To join it is to add a line: the laws do the rest.
///
/// A line takes what it needs of `up.source`, `up.other` and `up.scheduler` (virtual time; a delay is one second), and calls `up.user` in
/// each of its closures, under a number a closure where there are several.
let operatorTable =
    creationRows + transformingRows + filteringRows + combiningRows + timingRows + errorRows + otherRows
    + furtherOperatorRows + nodeRows

private let creationRows = rows {
    OperatorRow("just", .ignoresSource) { up in .just(up.user.element(1)) }
    OperatorRow("just on a scheduler", .ignoresSource) { up in .just(up.user.element(1), scheduler: up.scheduler) }
    OperatorRow("empty", .ignoresSource) { _ in .empty() }
    OperatorRow("never", [.ignoresSource, .endless]) { _ in .never() }
    OperatorRow("error", [.ignoresSource, .endless]) { _ in .error(TestError.failed) }
    OperatorRow("of", .ignoresSource) { up in .of(up.user.element(1), up.user.element(2)) }
    OperatorRow("from", .ignoresSource) { up in .from([up.user.element(1), up.user.element(2)]) }
    OperatorRow("from(optional:)", .ignoresSource) { up in .from(optional: up.user.element(1)) }
    OperatorRow("range", .ignoresSource) { up in Observable.range(start: 1, count: 3).map { try up.user(up.user.element($0)) } }
    OperatorRow("create", .lossless) { up in .create { observer in up.source.subscribe(observer) } }
    OperatorRow("deferred", .lossless) { up in .deferred { try up.user(up.source) } }
    OperatorRow("scoped", .lossless) { up in .scoped { _ in try up.user(up.source) } }
    OperatorRow("fromCallable", .ignoresSource) { up in .fromCallable { try up.user(up.user.element(1)) } }
    OperatorRow("using", .lossless) { up in
        .using({ try up.user(BooleanDisposable()) }, observableFactory: { _ in try up.user(up.source, closure: 1) })
    }
    OperatorRow("timer", .ignoresSource) { up in Observable.timer(.seconds(1), scheduler: up.scheduler).map(up.user.element) }
    OperatorRow("interval", [.ignoresSource, .endless]) { up in
        Observable.interval(.seconds(1), scheduler: up.scheduler).map(up.user.element)
    }
    OperatorRow("repeatElement", .ignoresSource) { up in .repeatElement(up.user.element(1)).take(3) }
    OperatorRow("repeatElement on a scheduler", .ignoresSource) { up in
        .repeatElement(up.user.element(1), scheduler: up.scheduler).take(3)
    }
    OperatorRow("generate", .ignoresSource) { up in
        .generate(
            initialState: up.user.element(1),
            condition: { try up.user($0.value < 5) },
            iterate: { try up.user(up.user.element($0.value + 1), closure: 1) })
    }
}

private let transformingRows = rows {
    OperatorRow("map", .lossless) { up in up.source.map { try up.user($0) } }
    OperatorRow("mapTo") { up in up.source.mapTo(up.user.element(9)) }
    OperatorRow("compactMap", .lossless) { up in up.source.compactMap { try up.user($0) } }
    OperatorRow("unwrap", .lossless) { up in up.source.map { Optional($0) }.unwrap() }
    OperatorRow("scan", .lossless) { up in up.source.scan(up.user.element(0)) { _, element in try up.user(element) } }
    OperatorRow("flatMap just", .lossless) { up in up.source.flatMap { .just(try up.user($0)) as Observable } }
    OperatorRow("flatMap two at a time", .lossless) { up in up.source.flatMap(maxConcurrent: 2) { Observable.just(try up.user($0)) } }
    OperatorRow("flatMap to the other") { up in up.source.flatMap { _ in try up.user(up.other) } }
    OperatorRow("flatMap delaying errors") { up in up.source.flatMap(delayErrors: true) { _ in try up.user(up.other) } }
    OperatorRow("flatMap on a scheduler", .lossless) { up in
        up.source.flatMap { Observable.just(try up.user($0), scheduler: up.scheduler) }
    }
    OperatorRow("concatMap", .lossless) { up in up.source.concatMap { Observable.just(try up.user($0)) } }
    OperatorRow("concatMap to the other") { up in up.source.concatMap { _ in try up.user(up.other.take(1)) } }
    OperatorRow("flatMapLatest", .lossless) { up in up.source.flatMapLatest { Observable.just(try up.user($0)) } }
    OperatorRow("flatMapLatest to the other") { up in up.source.flatMapLatest { _ in try up.user(up.other) } }
    OperatorRow("flatMapFirst") { up in up.source.flatMapFirst { Observable.just(try up.user($0)) } }
    OperatorRow("flatMapFirst to the other") { up in up.source.flatMapFirst { _ in try up.user(up.other) } }
}

private let filteringRows = rows {
    OperatorRow("filter", .lossless) { up in up.source.filter { try up.user($0.value >= 0) } }
    OperatorRow("distinctUntilChanged") { up in up.source.distinctUntilChanged() }
    OperatorRow("distinctUntilChanged key") { up in up.source.distinctUntilChanged { try up.user($0.value) } }
    OperatorRow("distinctUntilChanged(by:)") { up in up.source.distinctUntilChanged(by: { try up.user($0 == $1) }) }
    OperatorRow("skip") { up in up.source.skip(1) }
    OperatorRow("take", .endsEarly) { up in up.source.take(2) }
    OperatorRow("take many", .lossless) { up in up.source.take(1_000_000) }
    OperatorRow("take nothing", .ignoresSource) { up in up.source.take(0) }
    OperatorRow("take(while:)", .endsEarly) { up in up.source.take(while: { try up.user($0.value < 2) }) }
    OperatorRow("take(while:) inclusive", .lossless) { up in
        up.source.take(while: { try up.user($0.value >= 0) }, behavior: .inclusive)
    }
    OperatorRow("takeLast many") { up in up.source.takeLast(1_000_000) }
    OperatorRow("take(until:)", .endsEarly) { up in up.source.take(until: up.other.skip(1)) }
    OperatorRow("take(until:) never", .lossless) { up in up.source.take(until: Observable<Int>.never()) }
}

private let combiningRows = rows {
    OperatorRow("combineLatest 2") { up in .combineLatest(up.source, up.other) { element, _ in try up.user(element) } }
    OperatorRow("combineLatest 3") { up in
        .combineLatest(up.source, up.other, up.other) { element, _, _ in try up.user(element) }
    }
    OperatorRow("combineLatest 4") { up in
        .combineLatest(up.source, up.other, up.other, up.other) { element, _, _, _ in try up.user(element) }
    }
    OperatorRow("combineLatest 8") { up in
        .combineLatest(up.source, up.other, up.other, up.other, up.other, up.other, up.other, up.other) {
            element, _, _, _, _, _, _, _ in try up.user(element)
        }
    }
    OperatorRow("combineLatest collection") { up in .combineLatest([up.source, up.other]) { try up.user($0[0]) } }
    OperatorRow("merge") { up in .merge(up.source, up.other) }
    OperatorRow("merge delaying errors") { up in .merge(up.source, up.other, delayErrors: true) }
    OperatorRow("merge two at a time") { up in .merge(up.source, up.other, up.other) }
    OperatorRow("merge of inner streams", .lossless) { up in up.source.map { Observable.just($0) }.merge() }
    OperatorRow("merge of inner streams, one at a time", .lossless) { up in
        up.source.map { Observable.just($0) }.merge(maxConcurrent: 1)
    }
    OperatorRow("merge of inner streams with a bound, delaying errors", .lossless) { up in
        up.source.map { Observable.just($0) }.merge(
            maxConcurrent: 1, overflow: .fail(capacity: .max), delayErrors: true)
    }
    OperatorRow("combineLatest of tuples") { up in Observable.combineLatest(up.source, up.other).map { $0.0 } }
    OperatorRow("zip of tuples") { up in Observable.zip(up.source, up.other).map { $0.0 } }
    OperatorRow("concat of inner streams delaying errors") { up in
        up.source.map { Observable.just($0) }.concat(delayErrors: true)
    }
    OperatorRow("concat") { up in up.source.concat(up.other) }
    OperatorRow("concat of a sequence") { up in .concat(up.source, up.other.take(1), .just(up.user.element(9))) }
    OperatorRow("concat of inner streams", .lossless) { up in up.source.map { Observable.just($0) }.concat() }
    OperatorRow("switchLatest", .lossless) { up in up.source.map { Observable.just($0) }.switchLatest() }
    OperatorRow("ifEmpty(switchTo:) of nothing") { up in up.source.filter { _ in false }.ifEmpty(switchTo: up.other.take(1)) }
    OperatorRow("startWith") { up in up.source.startWith(up.user.element(8), up.user.element(9)) }
    OperatorRow("endWith") { up in up.source.endWith(up.user.element(8), up.user.element(9)) }
    OperatorRow("withLatestFrom") { up in up.source.withLatestFrom(up.other) { element, _ in try up.user(element) } }
    OperatorRow("withLatestFrom other") { up in up.source.withLatestFrom(up.other) }
}

private let timingRows = rows {
    OperatorRow("debounce") { up in up.source.debounce(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("throttle") { up in up.source.throttle(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("throttle leading") { up in up.source.throttle(.seconds(1), latest: false, scheduler: up.scheduler) }
    OperatorRow("delay", .lossless) { up in up.source.delay(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("delaySubscription", .resubscribes) { up in up.source.delaySubscription(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("timeout", .lossless) { up in up.source.timeout(.seconds(1_000), scheduler: up.scheduler) }
    OperatorRow("timeout to the other") { up in up.source.timeout(.seconds(1_000), other: up.other, scheduler: up.scheduler) }
}

private let errorRows = rows {
    OperatorRow("catch", [.lossless, .handlesErrors]) { up in up.source.catch { _ in .just(try up.user(up.user.element(9))) } }
    OperatorRow("catch to the other", [.lossless, .handlesErrors]) { up in up.source.catch { _ in try up.user(up.other) } }
    OperatorRow("catchAndReturn", [.lossless, .handlesErrors]) { up in up.source.catchAndReturn(up.user.element(9)) }
    OperatorRow("catchAndComplete", [.lossless, .handlesErrors]) { up in up.source.catchAndComplete() }
    OperatorRow("replaceError", [.lossless, .handlesErrors]) { up in up.source.replaceError(with: up.user.element(9)).asObservable() }
    OperatorRow("mapError", .lossless) { up in up.source.mapError { try up.user($0) } }
    OperatorRow("retry", [.lossless, .handlesErrors, .resubscribes]) { up in up.source.retry() }
    OperatorRow("retry once", .lossless) { up in up.source.retry(1) }
    OperatorRow("retry(when:)", [.lossless, .handlesErrors, .resubscribes]) { up in
        up.source.retry(when: { errors in errors.map { try up.user($0, closure: 1) } })
    }
    OperatorRow("retry(when:) never", .lossless) { up in
        up.source.retry(when: { errors in errors.flatMap { Observable<Int>.error($0) } })
    }
}

private let otherRows = rows {
    OperatorRow("do", .lossless) { up in
        up.source.do(
            onNext: { _ in try up.user((), closure: 0) }, afterNext: { _ in try up.user((), closure: 1) },
            onError: { _ in try up.user((), closure: 2) }, onCompleted: { try up.user((), closure: 3) })
    }
    OperatorRow("carrying", .lossless) { up in up.source.carrying(CarriedNumber.self) { 1 }.map { try up.user($0) } }
    OperatorRow("observe(on:)", .lossless) { up in up.source.observe(on: up.scheduler) }
    OperatorRow("observe(on:overflow:)", .lossless) { up in
        up.source.observe(on: up.scheduler, overflow: .fail(capacity: .max))
    }
    OperatorRow("subscribe(on:)", [.lossless, .resubscribes]) { up in up.source.subscribe(on: up.scheduler) }
    OperatorRow("reduce") { up in up.source.reduce(up.user.element(0)) { _, element in try up.user(element) } }
    OperatorRow("toArray") { up in up.source.toArray().map { up.user.element($0.count) } }
    OperatorRow("share", [.shares, .lossless]) { up in up.source.share() }
    OperatorRow("share(replay:)", [.shares, .lossless]) { up in up.source.share(replay: 1) }
    OperatorRow("share forever", [.shares, .lossless]) { up in up.source.share(replay: 1, scope: .forever) }
    OperatorRow("refCount", [.shares, .lossless]) { up in up.source.publish().refCount() }
    OperatorRow("multicast(makeSubject:)", [.shares, .lossless]) { up in
        up.source.multicast(makeSubject: { ReplaySubject<Probed>(bufferSize: 1) }).refCount()
    }
    OperatorRow("replay refCount", [.shares, .lossless]) { up in up.source.replay(2).refCount() }
    OperatorRow("autoconnect", [.shares, .lossless, .staysConnected]) { up in up.source.publish().autoconnect() }
    OperatorRow("cache", [.shares, .lossless, .staysConnected]) { up in up.source.cache() }
}

private let nodeRows = rows {
    OperatorRow("through", .lossless) { up in up.source.through(AnyNode { element in .fromCallable { try up.user(element) } }) }
    OperatorRow("through latest") { up in up.source.through(AnyNode { _ in up.other }, .latest) }
    OperatorRow("trackActivity", .lossless) { up in up.source.trackActivity(LoadIndicator()) }
    OperatorRow("abortable", .lossless) { up in up.source.abortable(by: Aborter()) }
    OperatorRow("abortable(by: stream)", .lossless) { up in up.source.abortable(by: Observable<Int>.never()) }
    OperatorRow("logged", .lossless) { up in up.source.logged { _ in } }
    OperatorRow("noting", .lossless) { up in up.source.noting(.info, as: "row") { _ in nil }.logged { _ in } }
    OperatorRow("logging", .lossless) { up in .logging { _ in try up.user(up.source) } }
    OperatorRow("refreshing", [.lossless, .resubscribes]) { up in
        up.source.refreshing(with: TokenRefresherNode(chain: AnyNode { .just(1) }) { _ in }, when: { _ in false })
    }
}

private enum CarriedNumber: Scope.Key {
    typealias Value = Int
}
