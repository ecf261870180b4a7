import StreamsTesting

extension Row {
    /// A context behind another, from its creation to its outcome.
    @RowBuilder static var derivedContexts: [Row] {
        use("Observer.map(_:)") {
            {
                let context = Context<Int>()
                context.map { $0 &+ 1 }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.map(_:)", of: "a context") {
            {
                let context = Context<Int>()
                context.map { Context<Int>.emit(data: $0) as Observer<Int> }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.mapData(_:)") {
            {
                let context = Context<Int>()
                context.mapData { $0 &+ 1 }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.then(_:)") {
            {
                let context = Context<Int>()
                context.then { (value: Int) in Context<Int>.emit(data: value) }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.chain(_:)") {
            {
                let context = Context<Int>()
                context.chain { (value: Int) in Context<Int>.emit(data: value) }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.combine(_:)") {
            {
                let context = Context<Int>()
                context.combine(Context<Int>.emit(data: 1)).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.combineTolerance(_:)") {
            {
                let context = Context<Int>()
                context.combineTolerance(Context<Int>.emit(data: 1)).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.filter(_:)") {
            {
                let context = Context<[Int]>()
                context.filter { (value: Int) in value > 0 }.onCompleted { _ in Receipt.note() }
                context.emit(data: [opaque(1)])
            }
        }
        use("Observer.mapError(_:)") {
            {
                let context = Context<Int>()
                context.mapError { (error: any Error) -> any Error in error }.onCompleted { _ in Receipt.note() }
                context.emit(error: Failure())
            }
        }
        use("Observer.mapError(_:)", of: "a context") {
            {
                let context = Context<Int>()
                context.mapError { (_: any Error) -> Observer<Int> in Context<Int>.emit(data: 1) }.onCompleted { _ in Receipt.note() }
                context.emit(error: Failure())
            }
        }
        use("Observer.error(_:)") {
            {
                let context = Context<Int>()
                context.error { _ in Context<Int>.emit(data: 1) }.onCompleted { _ in Receipt.note() }
                context.emit(error: Failure())
            }
        }
        use("Observer.catchError(_:)") {
            {
                let context = Context<Int>()
                context.catchError { (_: Failure) in Receipt.note() }.onCompleted { _ in Receipt.note() }
                context.emit(error: Failure())
            }
        }
        use("Observer.multicast()") {
            {
                let context = Context<Int>()
                context.multicast().onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.dispatchOn(_:)") {
            {
                let context = Context<Int>()
                context.dispatchOn(ImmediateScheduler.instance).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.timeout(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                let context = Context<Int>()
                context.timeout(.seconds(1), scheduler: scheduler).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.debounce(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                let context = Context<Int>()
                context.debounce(.seconds(1), scheduler: scheduler).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
                scheduler.advance(by: 1)
            }
        }
        use("Observer.throttle(_:latest:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                let context = Context<Int>()
                context.throttle(.seconds(1), scheduler: scheduler).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.retry()") {
            {
                let context = Context<Int>()
                context.retry().onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.retry(_:)") {
            {
                let context = Context<Int>()
                context.retry(3).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.retry(_:scheduler:)") {
            let scheduler = TestScheduler()
            return {
                let context = Context<Int>()
                context.retry(.exponential(initial: .seconds(1), maxAttempts: 3), scheduler: scheduler).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.log(_:)") {
            {
                let context = Context<Int>()
                context.log("a").onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.process(_:)") {
            {
                let context = Context<Int>()
                context.process { _ in Receipt.note() }.onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.map(_:)", "Observer.filter(_:)", "Observer.then(_:)", of: "four in a chain") {
            {
                let context = Context<Int>()
                context.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.then { (value: Int) in Context<Int>.emit(data: value) }.onCompleted
                { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.chain(with:)") {
            {
                let context = Context<Int>()
                context.chain(with: { (value: Int) in Context<Int>.emit(data: value) }).onCompleted { _ in Receipt.note() }
                context.emit(data: opaque(1))
            }
        }
        use("Observer.bind(to:)", "Context.observer") {
            let relay = PublishRelay<Int>()
            return {
                let context = Context<Int>()
                context.observer.bind(to: relay).dispose()
                context.emit(data: opaque(1))
            }
        }
        use("Observer.bind(onCompleted:onError:)") {
            let (relay, failures) = (PublishRelay<Int>(), PublishRelay<any Error>())
            return {
                let context = Context<Int>()
                context.bind(onCompleted: relay, onError: failures).dispose()
                context.emit(data: opaque(1))
            }
        }
        use("Observer.log") {
            let context = Context<Int>().log("a")
            return { if context.log == nil { Receipt.note() } }
        }
    }
}
