import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Streams that never fail` {
    @Test func `infallible streams are created as streams are`() {
        let scheduler = TestScheduler()
        #expect(received(Infallible.from(1...3).asObservable()) == ["1", "2", "3", "|"])
        #expect(received(Infallible.from(optional: 1).asObservable()) == ["1", "|"])
        #expect(received(Infallible<Int>.from(optional: nil).asObservable()) == ["|"])
        #expect(received(Infallible.range(start: 3, count: 2).asObservable()) == ["3", "4", "|"])
        let doubled = Infallible.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
        #expect(received(doubled.asObservable()) == ["1", "2", "4", "8", "|"])
        scheduler.start(disposed: 5) { Infallible<Int>.interval(.seconds(2), scheduler: scheduler) }.expect("--0-1")
        scheduler.start(subscribed: 10) { Infallible<Int>.timer(.seconds(3), scheduler: scheduler) }.expect("-------------(0|)")
    }

    @Test func `several are merged, and concatenated, as arguments and as a sequence`() {
        let sources = [Infallible.of(1, 2), .of(3)]
        for stream in [Infallible.merge(sources), .merge(sources[0], sources[1]), .concat(sources), .concat(sources[0], sources[1])] {
            #expect(received(stream.asObservable()) == ["1", "2", "3", "|"])
        }
        #expect(received(Infallible<Int>.merge([]).asObservable()) == ["|"])
    }

    @Test func `up to eight are zipped and combined with a closure`() {
        let one = Infallible.of(1, 2)
        let three = Infallible.zip(one, one, one) { $0 + $1 + $2 }
        let eight = Infallible.zip(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(received(three.asObservable()) == ["3", "6", "|"])
        #expect(received(eight.asObservable()) == ["8", "16", "|"])
        let single = Infallible.just(1)
        let latest = Infallible.combineLatest(single, single, single, single, single, single, single, one) {
            $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7
        }
        #expect(received(latest.asObservable()) == ["8", "9", "|"])
        #expect(received(Infallible.combineLatest(single, single, single, one) { $0 + $1 + $2 + $3 }.asObservable()) == ["4", "5", "|"])
    }

    @Test func `up to eight are zipped and combined to tuples, and a collection to arrays`() {
        let numbers = Infallible.of(1, 2), words = Infallible.of("a", "b")
        #expect(received(Infallible.zip(numbers, words).map { "\($0)\($1)" }.asObservable()) == ["1a", "2b", "|"])
        let three = Infallible.zip(numbers, words, numbers).map { "\($0)\($1)\($2)" }
        #expect(received(three.asObservable()) == ["1a1", "2b2", "|"])
        let eight = Infallible.combineLatest(
            .just(1), .just("a"), .just(2), .just("b"), .just(3), .just("c"), .just(4), .of(5, 6)
        ).map { "\($0)\($1)\($2)\($3)\($4)\($5)\($6)\($7)" }
        #expect(received(eight.asObservable()) == ["1a2b3c45", "1a2b3c46", "|"])
        #expect(received(Infallible.zip([numbers, numbers, numbers]).asObservable()) == ["[1, 1, 1]", "[2, 2, 2]", "|"])
        #expect(received(Infallible.zip([numbers, numbers]) { $0.reduce(0, +) }.asObservable()) == ["2", "4", "|"])
        #expect(received(Infallible.combineLatest([.just(1), numbers]).asObservable()) == ["[1, 1]", "[1, 2]", "|"])
        #expect(received(Infallible.combineLatest([.just(1), numbers]) { $0.max() ?? 0 }.asObservable()) == ["1", "2", "|"])
    }

    @Test func `a tuple of streams is subscribed to anew for each subscriber, and disposed with it`() {
        let subscribed = Tally(), disposed = Tally()
        let source = Infallible<Int>.never().do(onSubscribe: { subscribed.add() }, onDispose: { disposed.add() })
        let pairs = Infallible.combineLatest(source, .just("a"), source)
        #expect(received(pairs.map { "\($0)" }.asObservable()) == [])
        #expect(received(pairs.map { "\($0)" }.asObservable()) == [])
        #expect(subscribed.value == 4)
        #expect(disposed.value == 4)
    }

    @Test func `do is told of all events and both ends of a subscription`() {
        let log = Output()
        let stream = Infallible.just(1).do(
            onNext: { log.print("next \($0)") }, afterNext: { log.print("after \($0)") }, onCompleted: { log.print("completed") },
            afterCompleted: { log.print("after completed") }, onSubscribe: { log.print("subscribe") },
            onSubscribed: { log.print("subscribed") },
            onDispose: { log.print("dispose") })
        #expect(received(stream.asObservable()) == ["1", "|"])
        #expect(
            log.lines == [
                "subscribe", "next 1", "after 1", "completed", "after completed", "subscribed", "dispose",
            ])
    }

    @Test func `several observers are bound from one subscription, of elements or of optionals`() {
        let subscribed = Tally()
        let relays = (0..<3).map { _ in BehaviorRelay(value: 0) }, optional = (0..<3).map { _ in BehaviorRelay<Int?>(value: nil) }
        let stream = Infallible.just(5).do(onSubscribe: { subscribed.add() })
        stream.bind(to: relays[0], relays[1], relays[2]).dispose()
        stream.bind(to: optional[0], optional[1], optional[2]).dispose()
        Observable.just(6).bind(to: optional[1], optional[2]).dispose()
        #expect(relays.map(\.value) == [5, 5, 5])
        #expect(optional.map(\.value) == [5, 6, 6])
        #expect(subscribed.value == 2)
    }
}

@MainActor
@Suite(.countsResources) struct `Drivers and signals under virtual time` {
    let scheduler = TestScheduler()

    @Test func `a driver is delivered, and measures its times, on the scheduler of the test`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let source = try scheduler.hot("-1-2-----3|", of: Int.self)
            let driver = source.asDriver(onErrorJustReturn: 0).debounce(.seconds(3)).map { $0 * 2 }
            scheduler.start { driver }.expect("------4---(6|)", values: ["4": 4, "6": 6])
            source.expectSubscriptions("^---------!")
        }
    }

    @Test func `signals are throttled, delayed and timed without waiting`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let source = try scheduler.hot("-12----3|", of: Int.self)
            let signal = source.asSignal(onErrorJustReturn: 0).throttle(.seconds(2)).delay(.seconds(1))
            scheduler.start { signal }.expect("--1-2---3|")
        }
        let own = TestScheduler()
        SharingScheduler.mock(scheduler: own) {
            own.start(disposed: 5) { Driver<Int>.interval(.seconds(2)) }.expect("--0-1")
            own.start(subscribed: 10) { Signal<Int>.timer(.seconds(1)) }.expect("-----------(0|)")
        }
    }

    @Test func `a signal takes the latest element of a driver`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let taps = try scheduler.hot("--1-2-3|", of: Int.self).asSignal(onErrorJustReturn: 0)
            let names = try scheduler.hot("-a-b---|", of: String.self).asDriver(onErrorJustReturn: "")
            scheduler.start { taps.withLatestFrom(names) { "\($1)\($0)" } }.expect("--x-y-z|", values: ["x": "a1", "y": "b2", "z": "b3"])
        }
        let own = TestScheduler()
        try SharingScheduler.mock(scheduler: own) {
            let taps = try own.hot("--1-2-3|", of: Int.self).asSignal(onErrorJustReturn: 0)
            let names = try own.hot("-a-b---|", of: String.self).asDriver(onErrorJustReturn: "")
            own.start { taps.withLatestFrom(names) }.expect("--a-b-b|")
        }
    }

    @Test func `drivers drive several observers from one subscription`() {
        let subscribed = Tally()
        let relays = [BehaviorRelay(value: 0), BehaviorRelay(value: 0)],
            optional = [BehaviorRelay<Int?>(value: nil), BehaviorRelay(value: 1)]
        let driver = Driver<Int>.deferred {
            subscribed.add()
            return .of(1, 2)
        }
        driver.drive(relays[0], relays[1]).dispose()
        driver.drive(optional[0], optional[1]).dispose()
        #expect(relays.map(\.value) == [2, 2])
        #expect(optional.map(\.value) == [2, 2])
        Signal.just(3).emit(to: relays[0], relays[1]).dispose()
        Signal.just(4).emit(to: optional[0], optional[1]).dispose()
        #expect(relays.map(\.value) == [3, 3])
        #expect(optional.map(\.value) == [4, 4])
        #expect(subscribed.value == 2)
    }

    @Test func `drivers and signals are created and combined like other streams`() {
        #expect(received(Driver.from([1, 2]).asObservable()) == ["1", "2", "|"])
        #expect(received(Signal.range(start: 1, count: 2).asObservable()) == ["1", "2", "|"])
        let five = Driver.combineLatest(.just(1), .just(2), .just(3), .just(4), .just(5)) { $0 + $1 + $2 + $3 + $4 }
        #expect(received(five.asObservable()) == ["15", "|"])
        #expect(received(Signal.zip(.of(1, 2), .of("a", "b"), .of(3, 4)).map { "\($0)\($1)\($2)" }.asObservable()) == ["1a3", "2b4", "|"])
        #expect(received(Driver.zip([.just(1), .just(2)]).asObservable()) == ["[1, 2]", "|"])
    }
}
