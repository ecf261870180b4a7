import StreamsTesting

extension Row {
    /// A maybe with an element, or without one where that is what its operator is for.
    @RowBuilder static var maybes: [Row] {
        use("PrimitiveSequence.just(_:)", of: "a maybe") { { Maybe.just(opaque(1)).run() } }
        use("PrimitiveSequence.empty()", of: "a maybe") { { Maybe<Int>.empty().run() } }
        use("PrimitiveSequence.map(_:)", of: "a maybe") { { Maybe.just(opaque(1)).map { $0 &+ 1 }.run() } }
        use("PrimitiveSequence.flatMap(_:)", of: "a maybe") { { Maybe.just(opaque(1)).flatMap { .just($0 &+ 1) }.run() } }
        use("PrimitiveSequence.flatMapSingle(_:)") { { Maybe.just(opaque(1)).flatMapSingle { .just($0 &+ 1) }.run() } }
        use("PrimitiveSequence.filter(_:)", of: "a maybe") { { Maybe.just(opaque(1)).filter { $0 > 0 }.run() } }
        use("PrimitiveSequence.compactMap(_:)", of: "a maybe") { { Maybe.just(opaque(1)).compactMap { $0 }.run() } }
        use("PrimitiveSequence.create(_:)", of: "a maybe") {
            {
                Maybe<Int>.create { finish in
                    finish(.success(1))
                    return Disposables.create()
                }.run()
            }
        }
        use("PrimitiveSequence.zip(_:)", of: "two maybes") { { Maybe.zip(Maybe.just(opaque(1)), Maybe.just(opaque(2))).run() } }
        use("PrimitiveSequence.ifEmpty(default:)") { { Maybe<Int>.empty().ifEmpty(default: 1).run() } }
        use("PrimitiveSequence.ifEmpty(switchTo:)") { { Maybe<Int>.empty().ifEmpty(switchTo: Single.just(1)).run() } }
        use("PrimitiveSequence.ifEmpty(switchTo:)", of: "a maybe") { { Maybe<Int>.empty().ifEmpty(switchTo: Maybe.just(1)).run() } }
        use("PrimitiveSequence.asObservable()", of: "a maybe") { { Maybe.just(opaque(1)).asObservable().run() } }
        use("PrimitiveSequence.asCompletable()", of: "a maybe") { { Maybe.just(opaque(1)).asCompletable().run() } }
        use("PrimitiveSequence.do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)") {
            { Maybe.just(opaque(1)).do(onNext: { _ in Receipt.note() }).run() }
        }
        use("PrimitiveSequence.subscribe(_:)", of: "a maybe") { { _ = Maybe.just(opaque(1)).subscribe { _ in Receipt.note() } } }
        use("PrimitiveSequence.subscribe(onSuccess:onError:onCompleted:onDisposed:)") {
            { _ = Maybe.just(opaque(1)).subscribe(onSuccess: { _ in Receipt.note() }, onDisposed: { Receipt.note() }) }
        }
        use("PrimitiveSequence.subscribe(with:onSuccess:onError:onCompleted:onDisposed:)") {
            let object = End()
            return { _ = Maybe.just(opaque(1)).subscribe(with: object, onSuccess: { object, _ in object.note() }) }
        }
        use("PrimitiveSequence.catchAndReturn(_:)", of: "a maybe") { { Maybe<Int>.error(Failure()).catchAndReturn(1).run() } }
        use("ObservableType.asMaybe()") { { Observable.just(opaque(1)).asMaybe().run() } }
    }
}
