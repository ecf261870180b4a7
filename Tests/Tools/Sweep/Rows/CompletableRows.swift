import Streams

extension Row {
    /// A completable that completes while it is being subscribed to, or fails where that is what its operator is for.
    @RowBuilder static var completables: [Row] {
        use("PrimitiveSequence.empty()") { { Completable.empty().run() } }
        use("PrimitiveSequence.andThen(_:)") { { Completable.empty().andThen(Completable.empty()).run() } }
        use("PrimitiveSequence.andThen(_:)", of: "a single") { { Completable.empty().andThen(Single.just(opaque(1))).run() } }
        use("PrimitiveSequence.andThen(_:)", of: "a maybe") { { Completable.empty().andThen(Maybe.just(opaque(1))).run() } }
        use("PrimitiveSequence.andThen(_:)", of: "a stream") { { Completable.empty().andThen(Observable.just(opaque(1))).run() } }
        use("PrimitiveSequence.concat(_:)", of: "two completables") { { Completable.empty().concat(Completable.empty()).run() } }
        use("PrimitiveSequence.concat(_:)", of: "a list of completables") {
            { Completable.concat([Completable.empty(), Completable.empty()]).run() }
        }
        use("PrimitiveSequence.zip(_:)", of: "two completables") { { Completable.zip(Completable.empty(), Completable.empty()).run() } }
        use("PrimitiveSequence.create(_:)", of: "a completable") {
            {
                Completable.create { finish in
                    finish(.completed)
                    return Disposables.create()
                }.run()
            }
        }
        use("PrimitiveSequence.error(_:)", of: "a completable") { { Completable.error(Failure()).run() } }
        use("PrimitiveSequence.catch(_:)", of: "a completable") { { Completable.error(Failure()).catch { _ in .empty() }.run() } }
        use("PrimitiveSequence.do(onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)") {
            { Completable.empty().do(onCompleted: { Receipt.note() }).run() }
        }
        use("PrimitiveSequence.subscribe(_:)", of: "a completable") { { _ = Completable.empty().subscribe { _ in Receipt.note() } } }
        use("PrimitiveSequence.subscribe(onCompleted:onError:onDisposed:)") {
            { _ = Completable.empty().subscribe(onCompleted: { Receipt.note() }, onDisposed: { Receipt.note() }) }
        }
        use("PrimitiveSequence.subscribe(with:onCompleted:onError:onDisposed:)") {
            let object = End()
            return { _ = Completable.empty().subscribe(with: object, onCompleted: { object in object.note() }) }
        }
        use("PrimitiveSequence.retry(_:)", of: "a completable") { { Completable.empty().retry(3).run() } }
    }
}
