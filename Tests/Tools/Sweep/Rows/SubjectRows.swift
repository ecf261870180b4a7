import StreamsTesting

extension Row {
    /// An element that a subject or a relay delivers, and what it gives a subscriber.
    @RowBuilder static var subjects: [Row] {
        use("PublishSubject.onNext(_:)") {
            let subject = PublishSubject<Int>()
            subject.run()
            return { subject.onNext(1) }
        }
        use("PublishSubject.on(_:)") {
            let subject = PublishSubject<Int>()
            subject.run()
            return { subject.on(.next(1)) }
        }
        use("PublishSubject.init()", "PublishSubject.asObservable()", "PublishSubject.hasObservers", of: "one subscriber") {
            {
                let subject = PublishSubject<Int>()
                let subscription = subject.asObservable().run()
                if subject.hasObservers { subscription.dispose() }
            }
        }
        use("BehaviorSubject.on(_:)") {
            let subject = BehaviorSubject(value: 0)
            subject.run()
            return { subject.on(.next(1)) }
        }
        use("BehaviorSubject.init(value:)", "BehaviorSubject.asObservable()", "BehaviorSubject.hasObservers", of: "one subscriber") {
            {
                let subject = BehaviorSubject(value: 0)
                let subscription = subject.asObservable().run()
                if subject.hasObservers { subscription.dispose() }
            }
        }
        use("BehaviorSubject.value") {
            let subject = BehaviorSubject(value: 0)
            return { if subject.value == 1 { Receipt.note() } }
        }
        use("ReplaySubject.on(_:)") {
            let subject = ReplaySubject<Int>(bufferSize: 10)
            subject.run()
            return { subject.on(.next(1)) }
        }
        use("ReplaySubject.init(bufferSize:)", "ReplaySubject.hasObservers", of: "one subscriber") {
            {
                let subject = ReplaySubject<Int>(bufferSize: 10)
                let subscription = subject.run()
                if subject.hasObservers { subscription.dispose() }
            }
        }
        use("ReplaySubject.asObservable()", "ReplaySubject.createUnbounded()", of: "a late subscriber to 100") {
            let subject = ReplaySubject<Int>.createUnbounded()
            for number in 0..<100 { subject.onNext(number) }
            return { subject.asObservable().run().dispose() }
        }
        use("ReplaySubject.init(window:bufferSize:scheduler:)") {
            let subject = ReplaySubject<Int>(window: .seconds(1), bufferSize: 10, scheduler: TestScheduler())
            subject.run()
            return { subject.onNext(1) }
        }
        use("ReplaySubject.init(overflow:)") {
            let subject = ReplaySubject<Int>(overflow: .dropOldest(capacity: 10))
            subject.run()
            return { subject.onNext(1) }
        }
        use("AsyncSubject.on(_:)") {
            let subject = AsyncSubject<Int>()
            subject.run()
            return { subject.on(.next(1)) }
        }
        use("AsyncSubject.init()", "AsyncSubject.asObservable()", "AsyncSubject.hasObservers", of: "one subscriber") {
            {
                let subject = AsyncSubject<Int>()
                let subscription = subject.asObservable().run()
                if subject.hasObservers { subscription.dispose() }
            }
        }
        use("PublishRelay.accept(_:)") {
            let relay = PublishRelay<Int>()
            relay.run()
            return { relay.accept(1) }
        }
        use("PublishRelay.on(_:)") {
            let relay = PublishRelay<Int>()
            relay.run()
            return { relay.on(.next(1)) }
        }
        use("PublishRelay.init()", "PublishRelay.asObservable()", "PublishRelay.hasObservers", of: "one subscriber") {
            {
                let relay = PublishRelay<Int>()
                let subscription = relay.asObservable().run()
                if relay.hasObservers { subscription.dispose() }
            }
        }
        use("PublishRelay.asInfallible()") {
            let relay = PublishRelay<Int>()
            return { relay.asInfallible().run().dispose() }
        }
        use("PublishRelay.asSignal()") {
            let relay = PublishRelay<Int>()
            return { MainActor.assumeIsolated { relay.asSignal().emit(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("BehaviorRelay.accept(_:)") {
            let relay = BehaviorRelay(value: 0)
            relay.run()
            return { relay.accept(1) }
        }
        use("BehaviorRelay.on(_:)") {
            let relay = BehaviorRelay(value: 0)
            relay.run()
            return { relay.on(.next(1)) }
        }
        use("BehaviorRelay.update(_:)") {
            let relay = BehaviorRelay(value: 0)
            relay.run()
            return { relay.update { $0 += 1 } }
        }
        use("BehaviorRelay.value") {
            let relay = BehaviorRelay(value: 0)
            return { if relay.value == 1 { Receipt.note() } }
        }
        use("BehaviorRelay.init(value:)", "BehaviorRelay.asObservable()", "BehaviorRelay.hasObservers", of: "one subscriber") {
            {
                let relay = BehaviorRelay(value: 0)
                let subscription = relay.asObservable().run()
                if relay.hasObservers { subscription.dispose() }
            }
        }
        use("BehaviorRelay.asInfallible()") {
            let relay = BehaviorRelay(value: 0)
            return { relay.asInfallible().run().dispose() }
        }
        use("BehaviorRelay.asDriver()") {
            let relay = BehaviorRelay(value: 0)
            return { MainActor.assumeIsolated { relay.asDriver().drive(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("ReplayRelay.accept(_:)") {
            let relay = ReplayRelay<Int>(bufferSize: 10)
            relay.run()
            return { relay.accept(1) }
        }
        use("ReplayRelay.on(_:)") {
            let relay = ReplayRelay<Int>(bufferSize: 10)
            relay.run()
            return { relay.on(.next(1)) }
        }
        use("ReplayRelay.init(bufferSize:)", "ReplayRelay.asObservable()", "ReplayRelay.hasObservers", of: "one subscriber") {
            {
                let relay = ReplayRelay<Int>(bufferSize: 10)
                let subscription = relay.asObservable().run()
                if relay.hasObservers { subscription.dispose() }
            }
        }
        use("ReplayRelay.asInfallible()") {
            let relay = ReplayRelay<Int>(bufferSize: 10)
            return { relay.asInfallible().run().dispose() }
        }
    }
}
