import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("Drivers", .onOneThread, .countsResources) struct DriverTests {
    private let scheduler = TestScheduler()

    @Test @MainActor func `A driver replaces an error and completes`() {
        let values = Lock<[Int]>([])
        let subscription = Observable.concat(.just(1), .error(Received.Failure())).asDriver(onErrorJustReturn: 9)
            .drive(onNext: { value in values.withLock { $0.append(value) } })
        subscription.dispose()
        #expect(values.withLock { $0 } == [1, 9])
    }

    @Test @MainActor func `A driver continues with another after an error`() {
        let driver = Observable<Int>.error(Received.Failure()).asDriver(onErrorDriveWith: .of(4, 5))
        #expect(received(driver.asObservable()) == ["4", "5", "|"])
    }

    @Test @MainActor func `A driver subscribes to its source once and replays the latest element`() {
        let subject = PublishSubject<Int>()
        let subscribed = Tally()
        let driver = subject.do(onSubscribe: { subscribed.add() }).asDriver(onErrorJustReturn: 0)
        let first = driver.drive()
        subject.onNext(7)
        #expect(received(driver.asObservable()) == ["7"])
        #expect(subscribed.value == 1)
        first.dispose()
    }

    @Test func `A driver delivers on the main loop wherever its source emits`() async {
        let subject = PublishSubject<Int>()
        let driver = subject.asDriver(onErrorJustReturn: 0).map { value in MainScheduler.isOnMainLoop ? value : -1 }
        let bag = DisposeBag()
        await withCheckedContinuation { continuation in
            let subscription = driver.drive(onNext: { value in
                #expect(value == 3)
                continuation.resume()
            })
            DispatchQueue.global(qos: .userInitiated).async { subject.onNext(3) }
            subscription.disposed(by: bag)
        }
    }

    @Test @MainActor func `Drivers combine, filter, scan and switch as streams do`() {
        let sum = Driver.combineLatest(.of(1, 2), .just(10)) { $0 + $1 }.scan(0, accumulator: +)
        let chosen = Driver.of(1, 2, 2, 3).distinctUntilChanged().filter { $0 > 1 }.flatMapLatest { .just($0 * 10) }
        #expect(received(sum.asObservable()) == ["12", "|"])
        #expect(received(chosen.asObservable()) == ["20", "30", "|"])
    }

    @Test @MainActor func `Drivers are zipped, concatenated, truncated and observed as streams are`() {
        let lines = Output()
        let zipped = Driver.zip(.of(1, 2), .of(10, 20)) { $0 + $1 }.concat(.just(5)).take(3)
            .debug("driver") { line in lines.print(line) }
        #expect(received(zipped.asObservable()) == ["11", "22", "5", "|"])
        #expect(lines.lines.contains { $0.hasSuffix("driver next(22)") })
        #expect(received(Driver.of(1, 2).flatMapFirst { .just($0) }.asObservable()) == ["1", "2", "|"])
    }

    @Test @MainActor func `A driver is delivered, and measures its times, on the scheduler of the test`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let source = try scheduler.hot("-1-2-----3|", of: Int.self)
            let driver = source.asDriver(onErrorJustReturn: 0).debounce(.seconds(3)).map { $0 * 2 }
            scheduler.start { driver }.expect("------4---(6|)", values: ["4": 4, "6": 6])
            source.expectSubscriptions("^---------!")
        }
    }

    @Test @MainActor func `Drivers drive several observers from one subscription`() {
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

    @Test @MainActor func `Drivers and signals are created and combined like other streams`() {
        #expect(received(Driver.from([1, 2]).asObservable()) == ["1", "2", "|"])
        #expect(received(Signal.range(start: 1, count: 2).asObservable()) == ["1", "2", "|"])
        let five = Driver.combineLatest(.just(1), .just(2), .just(3), .just(4), .just(5)) { [$0, $1, $2, $3, $4] }
        #expect(received(five.asObservable()) == ["[1, 2, 3, 4, 5]", "|"])
        #expect(received(Signal.zip(.of(1, 2), .of("a", "b"), .of(3, 4)).map { "\($0)\($1)\($2)" }.asObservable()) == ["1a3", "2b4", "|"])
        #expect(received(Driver.zip([.just(1), .just(2)]).asObservable()) == ["[1, 2]", "|"])
    }

    @Test @MainActor func `A driver and a signal are driven into observers, also of optionals`() {
        let (values, optionals) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        let bag = DisposeBag()
        BehaviorRelay(value: 1).asDriver().drive(values).disposed(by: bag)
        Infallible.just(2).asDriver().drive(optionals).disposed(by: bag)
        #expect(values.value == 1)
        #expect(optionals.value == 2)
        Infallible.just(3).asSignal().emit(to: values).disposed(by: bag)
        #expect(values.value == 3)
    }
}
