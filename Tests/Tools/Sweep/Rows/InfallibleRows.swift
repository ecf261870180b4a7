import StreamsTesting

extension Row {
    /// The operators of streams that cannot fail, which are those of all streams.
    @RowBuilder static var infallibles: [Row] {
        infallible("map(_:)") { $0.map { $0 &+ 1 } }
        infallible("mapTo(_:)") { $0.mapTo(1) }
        infallible("filter(_:)") { $0.filter { $0 >= 0 } }
        infallible("compactMap(_:)") { $0.compactMap { $0 } }
        infallible("scan(_:accumulator:)") { $0.scan(0) { $0 &+ $1 } }
        infallible("scan(into:accumulator:)") { $0.scan(into: 0) { $0 &+= $1 } }
        infallible("reduce(_:accumulator:)") { $0.reduce(0) { $0 &+ $1 } }
        infallible("distinctUntilChanged()") { $0.distinctUntilChanged() }
        infallible("distinctUntilChanged(_:)") { $0.distinctUntilChanged { $0 } }
        infallible("distinctUntilChanged(by:)") { $0.distinctUntilChanged(by: { $0 == $1 }) }
        infallible("do(onNext:afterNext:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)") {
            $0.do(onNext: { _ in Receipt.note() })
        }
        infallible("flatMap(_:)") { $0.flatMap { .just($0) } }
        infallible("flatMapFirst(_:)") { $0.flatMapFirst { .just($0) } }
        infallible("flatMapLatest(_:)") { $0.flatMapLatest { .just($0) } }
        infallible("flatMapIterable(_:)") { $0.flatMapIterable { CollectionOfOne($0) } }
        infallible("concatMap(_:)") { $0.concatMap { .just($0) } }
        infallible("ignoreElements()") { $0.ignoreElements() }
        infallible("ifEmpty(default:)") { $0.ifEmpty(default: 1) }
        infallible("pairwise()") { $0.pairwise() }
        infallible("replaceNil(with:)") { $0.map { Optional($0) }.replaceNil(with: 1) }
        infallible("unwrap()") { $0.map { Optional($0) }.unwrap() }
        infallible("share(replay:scope:)") { $0.share(replay: 1) }
        infallible("skip(_:)") { $0.skip(1) }
        infallible("skip(while:)") { $0.skip(while: { $0 < 0 }) }
        infallible("startWith(_:)") { $0.startWith(1) }
        infallible("endWith(_:)") { $0.endWith(1) }
        infallible("take(_:)") { $0.take(1_000_000) }
        infallible("take(until:)") { $0.take(until: Infallible<Int>.never()) }
        infallible("take(while:behavior:)") { $0.take(while: { $0 >= 0 }) }
        infallible("toArray()") { $0.toArray() }
        infallible("observe(on:)") { $0.observe(on: ImmediateScheduler.instance) }
        infallible("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.instance) }
        infallible("debug(_:trimOutput:file:line:output:)") { $0.debug("a", output: { _ in Receipt.note() }) }
        infallible("throttle(_:latest:scheduler:)") { $0.throttle(.seconds(1), scheduler: TestScheduler()) }
        infallible("debounce(_:scheduler:)") { $0.debounce(.seconds(1), scheduler: TestScheduler()) }
        infallible("delay(_:scheduler:)") { $0.delay(.seconds(1), scheduler: TestScheduler()) }
    }

    /// Several streams that cannot fail.
    @RowBuilder static var infallibleJoins: [Row] {
        infallible("combineLatest(_:)") { Infallible.combineLatest($0, .just(1)) }
        infallible("combineLatest(_:resultSelector:)") { Infallible.combineLatest($0, .just(1), resultSelector: { $0 &+ $1 }) }
        infallible("zip(_:)") { Infallible.zip($0, $0) }
        infallible("zip(_:resultSelector:)") { Infallible.zip($0, $0, resultSelector: { $0 &+ $1 }) }
        infallible("merge(_:)") { Infallible.merge($0, .never()) }
        infallible("merge(with:)") { $0.merge(with: .never()) }
        infallible("merge(maxConcurrent:)") { $0.map { Infallible.just($0) }.merge(maxConcurrent: 2) }
        infallible("switchLatest()") { $0.map { Infallible.just($0) }.switchLatest() }
        infallible("concat(_:)") { $0.concat(.just(1)) }
        infallible("withLatestFrom(_:)") { $0.withLatestFrom(Infallible.just(1)) }
        infallible("withLatestFrom(_:resultSelector:)") { $0.withLatestFrom(Infallible.just(1)) { $0 &+ $1 } }
        use("InfallibleSequence.just(_:)") { { Infallible.just(opaque(1)).run() } }
        use("InfallibleSequence.of(_:)") { { Infallible.of(opaque(1), 2).run() } }
        use("InfallibleSequence.empty()") { { Infallible<Int>.empty().run() } }
        use("InfallibleSequence.never()") { { Infallible<Int>.never().run().dispose() } }
        use("InfallibleSequence.from(_:)", of: "ten") { { Infallible.from(0..<10).run() } }
        use("InfallibleSequence.from(optional:)") { { Infallible.from(optional: opaque(1)).run() } }
        use("InfallibleSequence.range(start:count:)", of: "ten") { { Infallible.range(start: 0, count: 10).run() } }
        use("InfallibleSequence.deferred(_:)") { { Infallible.deferred { .just(opaque(1)) }.run() } }
        use("InfallibleSequence.generate(initialState:condition:iterate:)", of: "ten") {
            { Infallible.generate(initialState: 0, condition: { $0 < 10 }, iterate: { $0 + 1 }).run() }
        }
        use("InfallibleSequence.create(_:)") {
            {
                Infallible<Int>.create { observer in
                    observer(.next(1))
                    observer(.completed)
                    return Disposables.create()
                }.run()
            }
        }
        use("InfallibleSequence.asObservable()") { { Infallible.just(opaque(1)).asObservable().run() } }
        use("InfallibleSequence.subscribe(onNext:onCompleted:onDisposed:)") {
            { _ = Infallible.just(opaque(1)).subscribe(onNext: { _ in Receipt.note() }, onDisposed: { Receipt.note() }) }
        }
        use("InfallibleSequence.subscribe(with:onNext:onCompleted:onDisposed:)") {
            let object = End()
            return { _ = Infallible.just(opaque(1)).subscribe(with: object, onNext: { object, _ in object.note() }) }
        }
        use("InfallibleSequence.interval(_:scheduler:)") {
            let scheduler = TestScheduler()
            Infallible<Int>.interval(.seconds(1), scheduler: scheduler).run()
            return { scheduler.advance(by: 1) }
        }
        use("InfallibleSequence.timer(_:period:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                Infallible<Int>.timer(.seconds(1), scheduler: scheduler).run()
                scheduler.advance(by: 1)
            }
        }
    }
}
