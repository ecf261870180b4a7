import Streams
import StreamsTesting
import Testing

@Suite("Infallible streams", .onOneThread, .countsResources) struct InfallibleTests {
    @Test func `Infallible streams are created as streams are`() {
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

    @Test func `An infallible stream is created, transformed and subscribed without an error closure`() {
        let names = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.completed)
            observer(.next(2))
            return Disposables.create()
        }
        #expect(received(names.map { $0 * 3 }.asObservable()) == ["3", "|"])
        let failing = Observable<Int>.error(Received.Failure())
        #expect(received(failing.asInfallible(onErrorFallbackTo: .of(5)).asObservable()) == ["5", "|"])
    }

    @Test func `Several are merged, and concatenated, as arguments and as a sequence`() {
        let sources = [Infallible.of(1, 2), .of(3)]
        for stream in [Infallible.merge(sources), .merge(sources[0], sources[1]), .concat(sources), .concat(sources[0], sources[1])] {
            #expect(received(stream.asObservable()) == ["1", "2", "3", "|"])
        }
        #expect(received(Infallible<Int>.merge([]).asObservable()) == ["|"])
    }

    @Test func `Inner streams are merged, or switched to`() {
        let (first, second) = (PublishRelay<Int>(), PublishRelay<Int>())
        let outer = PublishRelay<Infallible<Int>>()
        let output = Output()
        let subscriptions = [
            outer.asInfallible().merge().subscribe(onNext: { output.print("merged \($0)") }),
            outer.asInfallible().merge(maxConcurrent: 1).subscribe(onNext: { output.print("first \($0)") }),
            outer.asInfallible().switchLatest().subscribe(onNext: { output.print("latest \($0)") }),
        ]
        outer.accept(first.asInfallible())
        outer.accept(second.asInfallible())
        first.accept(1)
        second.accept(2)
        for subscription in subscriptions { subscription.dispose() }
        #expect(output.lines == ["merged 1", "first 1", "merged 2", "latest 2"])
    }

    @Test func `Up to eight are zipped and combined with a closure`() {
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

    @Test func `Up to eight are zipped and combined to tuples, and a collection to arrays`() {
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

    @Test func `A tuple of streams is subscribed to anew for each subscriber, and disposed with it`() {
        let subscribed = Tally(), disposed = Tally()
        let source = Infallible<Int>.never().do(onSubscribe: { subscribed.add() }, onDispose: { disposed.add() })
        let pairs = Infallible.combineLatest(source, .just("a"), source)
        #expect(received(pairs.map { "\($0)" }.asObservable()) == [])
        #expect(received(pairs.map { "\($0)" }.asObservable()) == [])
        #expect(subscribed.value == 4)
        #expect(disposed.value == 4)
    }

    @Test func `A comparer skips what it takes for equal`() {
        let numbers = Infallible.of(1, 3, 2, 4)
        #expect(received(numbers.distinctUntilChanged(by: { $0 >= $1 }).asObservable()) == ["1", "3", "4", "|"])
        #expect(received(Infallible.of("a", "b", "cd").distinctUntilChanged(\.count).asObservable()) == ["a", "cd", "|"])
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

    @Test func `Several observers are bound from one subscription, of elements or of optionals`() {
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

    @Test @MainActor func `An infallible stream is bound to observers of its elements and of optionals, and to main-actor code`() {
        let (values, optionals) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        let bag = DisposeBag()
        Infallible.just(1).bind(to: values).disposed(by: bag)
        Infallible.just(2).bind(to: optionals).disposed(by: bag)
        #expect(values.value == 1)
        #expect(optionals.value == 2)
        var bound = 0
        Infallible.just(3).bind(onNext: { value in bound = value }).disposed(by: bag)
        #expect(bound == 3)
    }

    @Test func `A relay is infallible`() {
        let (state, last) = (BehaviorRelay(value: 1), ReplayRelay<Int>(bufferSize: 1))
        last.accept(2)
        #expect(received(state.asInfallible().map { $0 + 1 }.asObservable()) == ["2"])
        #expect(received(last.asInfallible().asObservable()) == ["2"])
        let taps = PublishRelay<Int>()
        let output = Output()
        let subscription = taps.asInfallible().subscribe(onNext: { output.print("\($0)") })
        taps.accept(3)
        subscription.dispose()
        #expect(output.lines == ["3"])
    }

    @Test func `A stream that cannot fail stays so through operators`() throws {
        let failing = Observable.of(1).concat(Observable.error(TestError.failed))
        let time = VirtualTimeScheduler()
        let relay = BehaviorRelay(value: [String]())
        let property = Streamed(wrappedValue: "")
        let words: Infallible<String> = failing.convertToLoadingState(startingWithLoading: true)
            .replaceNilValues(with: 0).map { "\($0)" }.distinctUntilChanged().startWith("first").endWith("last")
            .observe(on: time).share(replay: 1)
        let subscription = words.scan(into: []) { $0.append($1) }.bind(to: relay)
        words.assign(to: &property.projectedValue)
        time.run()
        #expect(relay.value == ["first", "0", "1", "0", "last"])
        #expect(property.wrappedValue == "last")
        subscription.dispose()
    }
}

extension InfallibleSequence {
    fileprivate func replaceNilValues<Value: Sendable>(with value: Value) -> InfallibleSequence<Kind, Value>
    where Element == LoadingState<Value> {
        map(\.value).replaceNil(with: value)
    }
}
