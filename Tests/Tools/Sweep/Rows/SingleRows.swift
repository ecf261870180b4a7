import StreamsTesting

extension Row {
    /// A single that succeeds while it is being subscribed to, or fails where that is what its operator is for.
    @RowBuilder static var singles: [Row] {
        use("PrimitiveSequence.just(_:)") { { Single.just(opaque(1)).run() } }
        use("PrimitiveSequence.map(_:)") { { Single.just(opaque(1)).map { $0 &+ 1 }.run() } }
        use("PrimitiveSequence.mapTo(_:)") { { Single.just(opaque(1)).mapTo(2).run() } }
        use("PrimitiveSequence.flatMap(_:)") { { Single.just(opaque(1)).flatMap { .just($0 &+ 1) }.run() } }
        use("PrimitiveSequence.flatMapMaybe(_:)") { { Single.just(opaque(1)).flatMapMaybe { .just($0 &+ 1) }.run() } }
        use("PrimitiveSequence.flatMapCompletable(_:)") { { Single.just(opaque(1)).flatMapCompletable { _ in .empty() }.run() } }
        use("PrimitiveSequence.filter(_:)") { { Single.just(opaque(1)).filter { $0 > 0 }.run() } }
        use("PrimitiveSequence.compactMap(_:)") { { Single.just(opaque(1)).compactMap { $0 }.run() } }
        use("PrimitiveSequence.zip(_:)") { { Single.zip(Single.just(opaque(1)), Single.just(opaque(2))).run() } }
        use("PrimitiveSequence.zip(_:)", of: "a list") { { Single.zip([Single.just(opaque(1)), Single.just(opaque(2))]).run() } }
        use("PrimitiveSequence.zip(_:resultSelector:)") {
            { Single.zip(Single.just(opaque(1)), Single.just(opaque(2)), resultSelector: { $0 &+ $1 }).run() }
        }
        use("PrimitiveSequence.create(_:)") {
            {
                Single<Int>.create { finish in
                    finish(.success(1))
                    return Disposables.create()
                }.run()
            }
        }
        use("PrimitiveSequence.deferred(_:)") { { Single<Int>.deferred { .just(opaque(1)) }.run() } }
        use("PrimitiveSequence.error(_:)") { { Single<Int>.error(Failure()).run() } }
        use("PrimitiveSequence.never()") { { Single<Int>.never().run().dispose() } }
        use("PrimitiveSequence.catch(_:)") { { Single<Int>.error(Failure()).catch { _ in .just(1) }.run() } }
        use("PrimitiveSequence.catchAndReturn(_:)") { { Single<Int>.error(Failure()).catchAndReturn(1).run() } }
        use("PrimitiveSequence.mapError(_:)") { { Single<Int>.error(Failure()).mapError { $0 }.run() } }
        use("PrimitiveSequence.retry(_:)") { { Single.just(opaque(1)).retry(3).run() } }
        use("PrimitiveSequence.retry(_:scheduler:)") {
            let scheduler = TestScheduler()
            return { Single.just(opaque(1)).retry(.exponential(initial: .seconds(1), maxAttempts: 3), scheduler: scheduler).run() }
        }
        use("PrimitiveSequence.retry(when:)") { { Single.just(opaque(1)).retry(when: { $0 }).run() } }
        use("PrimitiveSequence.do(onSuccess:afterSuccess:onError:afterError:onSubscribe:onSubscribed:onDispose:)") {
            { Single.just(opaque(1)).do(onSuccess: { _ in Receipt.note() }).run() }
        }
        use("PrimitiveSequence.concat(_:)") { { Single.just(opaque(1)).concat(Single.just(opaque(1))).run() } }
        use("PrimitiveSequence.apply(_:)") { { Single.just(opaque(1)).apply { $0.map { $0 &+ 1 } }.run() } }
        use("PrimitiveSequence.asObservable()") { { Single.just(opaque(1)).asObservable().run() } }
        use("PrimitiveSequence.asMaybe()") { { Single.just(opaque(1)).asMaybe().run() } }
        use("PrimitiveSequence.asCompletable()") { { Single.just(opaque(1)).asCompletable().run() } }
        use("PrimitiveSequence.subscribe(_:)") { { _ = Single.just(opaque(1)).subscribe { _ in Receipt.note() } } }
        use("PrimitiveSequence.subscribe(onSuccess:onFailure:onDisposed:)") {
            { _ = Single.just(opaque(1)).subscribe(onSuccess: { _ in Receipt.note() }, onDisposed: { Receipt.note() }) }
        }
        use("PrimitiveSequence.subscribe(with:onSuccess:onFailure:onDisposed:)") {
            let object = End()
            return { _ = Single.just(opaque(1)).subscribe(with: object, onSuccess: { object, _ in object.note() }) }
        }
        use("PrimitiveSequence.subscribe(on:)") { { Single.just(opaque(1)).subscribe(on: ImmediateScheduler.instance).run() } }
        use("PrimitiveSequence.observe(on:)") { { Single.just(opaque(1)).observe(on: ImmediateScheduler.instance).run() } }
        use("PrimitiveSequence.just(_:scheduler:)") { { Single.just(opaque(1), scheduler: ImmediateScheduler.instance).run() } }
        use("PrimitiveSequence.timeout(_:scheduler:)") {
            let scheduler = TestScheduler()
            return { Single.just(opaque(1)).timeout(.seconds(1), scheduler: scheduler).run() }
        }
        use("PrimitiveSequence.timeout(_:other:scheduler:)") {
            let scheduler = TestScheduler()
            return { Single.just(opaque(1)).timeout(.seconds(1), other: .just(2), scheduler: scheduler).run() }
        }
        use("PrimitiveSequence.delay(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                Single.just(opaque(1)).delay(.seconds(1), scheduler: scheduler).run()
                scheduler.advance(by: 1)
            }
        }
        use("PrimitiveSequence.delaySubscription(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                Single.just(opaque(1)).delaySubscription(.seconds(1), scheduler: scheduler).run()
                scheduler.advance(by: 1)
            }
        }
        use("PrimitiveSequence.timer(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                Single<Int>.timer(.seconds(1), scheduler: scheduler).run()
                scheduler.advance(by: 1)
            }
        }
        use("PrimitiveSequence.using(_:primitiveSequenceFactory:)") {
            { Single<Int>.using({ SerialDisposable() }, primitiveSequenceFactory: { _ in .just(1) }).run() }
        }
        use("PrimitiveSequence.trackActivity(_:)") {
            let indicator = LoadIndicator()
            return { Single.just(opaque(1)).trackActivity(indicator).run() }
        }
        use("PrimitiveSequence.debug(_:trimOutput:file:line:output:)") {
            { Single.just(opaque(1)).debug("a", output: { _ in Receipt.note() }).run() }
        }
        use("ObservableType.asSingle()") { { Observable.just(opaque(1)).asSingle().run() } }
    }
}
