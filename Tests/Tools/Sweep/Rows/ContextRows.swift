import StreamsTesting

extension Row {
    /// A context with one listener.
    @RowBuilder static var contexts: [Row] {
        use("Context.init()") { { _ = Context<Int>() } }
        use("Context.emit(data:)", "Observer.onCompleted(_:)", of: "one listener") {
            {
                let context = Context<Int>()
                context.onCompleted { (_: Int) in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Context.emit(error:)", "Observer.onError(_:)", of: "one listener") {
            {
                let context = Context<Int>()
                context.onError { (_: any Error) in Receipt.note() }
                context.emit(error: Failure())
            }
        }
        use("Context.on(_:)", "Observer.defer(_:)", of: "one listener") {
            {
                let context = Context<Int>()
                context.defer { Receipt.note() }
                context.on(.next(opaque(1)))
            }
        }
        use("Observer.cancel()", "Observer.onCancelled(_:)", of: "one listener") {
            {
                let context = Context<Int>()
                context.onCancelled { Receipt.note() }
                context.cancel()
            }
        }
        use("Observer.unsubscribe()") {
            {
                let context = Context<Int>()
                context.onCompleted { (_: Int) in Receipt.note() }
                context.unsubscribe()
            }
        }
        use("Observer.emit(data:)", of: "one listener") {
            { Context<Int>.emit(data: opaque(1)).onCompleted { (_: Int) in Receipt.note() } }
        }
        use("Observer.emit(error:)", of: "one listener") {
            { Context<Int>.emit(error: Failure()).onError { (_: any Error) in Receipt.note() } }
        }
        use("Observer.asObservable()") { { Context<Int>.emit(data: opaque(1)).asObservable().run() } }
        use("Observer.asInnerObservable()") { { Context<Int>.emit(data: opaque(1)).asInnerObservable().run() } }
        use("Observer.outcomes") { { Context<Int>.emit(data: opaque(1)).outcomes.run() } }
        use("ObservableType.asContext()") { { Observable.just(opaque(1)).asContext().onCompleted { (_: Int) in Receipt.note() } } }
        use("ObservableType.asContext(on:)") {
            { Observable.just(opaque(1)).asContext(on: ImmediateScheduler.instance).onCompleted { (_: Int) in Receipt.note() } }
        }
        use("ObservableType.asMulticastContext()") {
            { Observable.just(opaque(1)).asMulticastContext().onCompleted { (_: Int) in Receipt.note() } }
        }
        use("MulticastContext.init()") {
            let context = MulticastContext<Int>()
            context.onCompleted { (_: Int) in Receipt.note() }
            return { context.emit(data: opaque(1)) }
        }
        use("AsyncContext.init(scheduler:)") {
            {
                let context = AsyncContext<Int>(scheduler: ImmediateScheduler.instance)
                context.onCompleted { (_: Int) in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
    }
}
