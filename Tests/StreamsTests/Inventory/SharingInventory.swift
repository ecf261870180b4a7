import Dispatch
import Foundation
import StreamsTesting

extension Inventory {
    static let sharing: [Entry] = [
        Entry(name: "connect") {
            let shared = numbers.publish()
            shared.connect().dispose()
        },
        entry("publish") { _ in numbers.publish().refCount() },
        entry("multicast") { _ in numbers.multicast(PublishSubject()).refCount() },
        entry("multicast(makeSubject:)") { _ in numbers.multicast(makeSubject: { ReplaySubject<Int>(bufferSize: 1) }).refCount() },
        entry("refCount") { _ in numbers.publish().refCount() },
        entry("autoconnect") { _ in numbers.publish().autoconnect(1) },
        entry("replay") { _ in numbers.replay(1).refCount() },
        entry("replayAll") { _ in numbers.replayAll().refCount() },
        entry("cache") { _ in numbers.cache() },
        entry("share") { _ in numbers.share() },
        entry("share(replay:scope:)") { _ in numbers.share(replay: 1, scope: .forever) },
    ]

    static let aggregating: [Entry] = [
        entry("reduce") { _ in numbers.reduce(0, accumulator: +) },
        entry("toArray") { _ in numbers.toArray() },
        entry("toSet") { _ in numbers.toSet() },
        entry("toDictionary") { _ in numbers.toDictionary { $0 } },
        entry("toDictionary(valueSelector:)") { _ in numbers.toDictionary(keySelector: { $0 }, valueSelector: { $0 }) },
        entry("count") { _ in numbers.count() },
        entry("min") { _ in numbers.min() },
        entry("min(by:)") { _ in numbers.min { $0 < $1 } },
        entry("max") { _ in numbers.max() },
        entry("max(by:)") { _ in numbers.max { $0 < $1 } },
        entry("sum") { _ in numbers.sum() },
        entry("average") { _ in numbers.average() },
        entry("average of floating point") { _ in numbers.map { Double($0) }.average() },
        entry("all") { _ in numbers.all { $0 > 0 } },
        entry("any") { _ in numbers.any { $0 > 0 } },
        entry("contains") { _ in numbers.contains(1) },
        entry("isEmpty") { _ in numbers.isEmpty() },
        entry("sorted") { _ in numbers.sorted() },
        entry("sorted(by:)") { _ in numbers.sorted(by: >) },
    ]

    static let utility: [Entry] = [
        entry("do") { _ in
            numbers.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {}, afterCompleted: {},
                onSubscribe: {}, onSubscribed: {}, onDispose: {})
        },
        entry("debug") { _ in numbers.debug("numbers", trimOutput: true) { _ in } },
        entry("trace") { _ in numbers.trace("numbers") },
        entry("observe(on:)") { time in numbers.observe(on: time) },
        entry("observe(on:overflow:)") { time in numbers.observe(on: time, overflow: .latest) },
        entry("observe(on:) a queue") { _ in numbers.observe(on: DispatchQueue(label: "inventory")) },
        entry("subscribe(on:)") { time in numbers.subscribe(on: time) },
        entry("subscribe(on:) a queue") { _ in numbers.subscribe(on: DispatchQueue(label: "inventory")) },
        entry("serialize") { _ in numbers.serialize() },
        entry("scoped") { _ in Observable<Int>.scoped { scope in scope == nil ? numbers : .never() } },
        entry("carrying") { _ in numbers.carrying(InventoryKey.self) { 1 } },
        entry("apply") { _ in numbers.apply { $0.skip(1) } },
        entry("signals") { _ in MainLoop.signals(SIGWINCH) },
        Entry(name: "assign") {
            let streamed = Streamed(wrappedValue: 0)
            numbers.replaceError(with: 0).assign(to: streamed.projectedValue)
            let optional = Streamed<Int?>(wrappedValue: nil)
            numbers.asDriver(onErrorJustReturn: 0).assign(to: optional.projectedValue)
        },
        Entry(name: "bind") {
            numbers.bind(to: PublishRelay<Int>()).dispose()
            numbers.bind(to: PublishRelay<Int>(), BehaviorRelay(value: 0), PublishSubject<Int>()).dispose()
            numbers.bind(onNext: { _ in }).dispose()
            numbers.bind(with: BooleanDisposable(), onNext: { _, _ in }).dispose()
        },
        Entry(name: "subscribe") {
            numbers.subscribe(onNext: { _ in }, onError: { _ in }, onCompleted: {}, onDisposed: {}).dispose()
            numbers.subscribe(with: BooleanDisposable(), onNext: { _, _ in }).dispose()
            numbers.subscribe { _ in }.dispose()
            numbers.subscribe(AnyObserver { _ in }).dispose()
            numbers.subscribeOnMain(onNext: { _ in }, onError: { _ in }, onCompleted: {}).dispose()
        },
    ]

    static let traits: [Entry] = [
        Entry(name: "asSingle") { _ = try await numbers.take(1).asSingle().map { $0 }.value },
        Entry(name: "asMaybe") { _ = try await numbers.take(1).asMaybe().filter { $0 > 1 }.value },
        Entry(name: "asCompletable") { try await numbers.asCompletable().andThen(Completable.empty()).value },
        Entry(name: "asInfallible") { for await _ in numbers.asInfallible(onErrorJustReturn: 0).values { break } },
        Entry(name: "asDriver and drive") {
            numbers.asDriver(onErrorJustReturn: 0).drive(onNext: { _ in }).dispose()
            numbers.asDriver(onErrorDriveWith: .empty()).drive(PublishRelay<Int>()).dispose()
        },
        Entry(name: "asSignal and emit") {
            numbers.asSignal(onErrorJustReturn: 0).emit(onNext: { _ in }).dispose()
            numbers.asSignal(onErrorSignalWith: .empty()).emit(to: PublishRelay<Int>()).dispose()
        },
        entry("PublishSubject") { _ in PublishSubject<Int>().asObservable() },
        entry("BehaviorSubject") { _ in BehaviorSubject(value: 1).asObservable() },
        entry("ReplaySubject") { time in ReplaySubject<Int>(window: .seconds(1), bufferSize: 2, scheduler: time).asObservable() },
        entry("ReplaySubject(overflow:)") { _ in ReplaySubject<Int>(overflow: .latest).asObservable() },
        entry("AsyncSubject") { _ in AsyncSubject<Int>().asObservable() },
        entry("PublishRelay") { _ in PublishRelay<Int>().asObservable() },
        entry("ReplayRelay") { _ in ReplayRelay<Int>(bufferSize: 1).asObservable() },
        Entry(name: "BehaviorRelay") {
            let relay = BehaviorRelay(value: 1)
            relay.accept(2)
            relay.update { $0 += relay.value }
        },
        Entry(name: "Resources") { _ = Resources.current.byKind.values.reduce(0, +) == Resources.total },
    ]

    static let bridging: [Entry] = [
        Entry(name: "values") { for try await _ in numbers.values { break } },
        Entry(name: "values(overflow:)") { for try await _ in numbers.values(overflow: .latest) { break } },
        Entry(name: "first() async") { _ = try await numbers.first() as Int },
        Entry(name: "last() async") { _ = try await numbers.last() as Int },
        Entry(name: "array") { _ = try await numbers.array() },
        Entry(name: "observe { }") { Streams.Observable.observe { 1 }.subscribe { _ in }.dispose() },
        Entry(name: "asObservable of a task") { _ = try await Task { 1 }.asObservable().first() as Int },
    ]

    static let vocabulary: [Entry] = [
        entry("decode") { _ in Observable.just(Data("[1]".utf8)).decode(as: [Int].self, using: .snakeCaseConverting) },
        entry("validate") { _ in numbers.validate { _ in } },
        entry("unwrap(orThrow:)") { _ in numbers.map { Optional($0) }.unwrap(orThrow: TestError.failed) },
        entry("convertToResult") { _ in failing.convertToResult().asObservable() },
        entry("convertToLoadingState") { _ in failing.convertToLoadingState(startingWithLoading: true).asObservable() },
        entry("replaceNil(with:)") { _ in numbers.map { Optional($0) }.replaceNil(with: 0) },
        entry("replaceEmpty(with:)") { _ in numbers.replaceEmpty(with: 0) },
        entry("fail(with:)") { _ in Observable<Int>.fail(with: TestError.failed) },
    ]
}

extension Inventory {
    static let nodes: [Entry] = [
        entry("through") { _ in numbers.through(AnyNode { .just($0) }, .concat) },
        entry("trackActivity") { _ in numbers.trackActivity(LoadIndicator()) },
        entry("abortable") { _ in numbers.abortable(by: Aborter()) },
        entry("abortable(by: stream)") { _ in numbers.abortable(by: Observable<Int>.never()) },
        entry("refreshing") { _ in
            failing.refreshing(with: TokenRefresherNode(chain: AnyNode { .just(1) }) { _ in }, when: { _ in true })
        },
        entry("logged") { _ in numbers.logged { _ in } },
        entry("logging") { _ in Observable.logging { _ in numbers } },
        entry("noting") { _ in numbers.noting(.info, as: "inventory") { "\($0)" } },
        entry("ChainConfiguratorNode") { time in
            ChainConfiguratorNode(startOn: time, deliverOn: time, next: AnyNode<Int, Int> { .just($0) }).stream(1)
        },
        entry("LoadIndicatableNode") { _ in
            LoadIndicatableNode(indicator: LoadIndicator(), next: AnyNode<Int, Int> { .just($0) }).stream(1)
        },
        entry("AborterNode") { _ in AborterNode(aborter: Aborter(), next: AnyNode<Int, Int> { .just($0) }).stream(1) },
        entry("LoggerNode") { _ in LoggerNode(sink: { _ in }, next: AnyNode<Int, Int> { .just($0) }).stream(1) },
        entry("AccessSafeNode") { _ in
            AccessSafeNode(
                refresher: TokenRefresherNode(chain: AnyNode { .just(1) }) { _ in }, when: { _ in true },
                next: AnyNode<Int, Int> { .just($0) }
            ).stream(1)
        },
    ]
}

private enum InventoryKey: Scope.Key {
    typealias Value = Int
}
