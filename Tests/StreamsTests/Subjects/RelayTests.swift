import StreamsTesting
import Testing

@Suite("Relays", .countsResources)
struct RelayTests {
    private let observer = TestObserver<Int>()

    @Test func `A relay ignores the completion of bound streams`() {
        let relay = PublishRelay<Int>()
        let subscription = relay.subscribe(observer)
        Observable.of(1, 2).bind(to: relay).dispose()
        relay.accept(3)
        #expect(observer.values == [1, 2, 3] && !observer.isStopped)
        subscription.dispose()
    }

    @Test func `accept sets the value immediately, from anywhere`() {
        let relay = BehaviorRelay(value: 0)
        let seen = Lock<[Int]>([])
        let subscription = relay.subscribe(onNext: { value in
            guard value == 1 else { return }
            relay.accept(5)
            seen.withLock { $0.append(relay.value) }
        })
        relay.accept(1)
        #expect(seen.withLock { $0 } == [5] && relay.value == 5)
        subscription.dispose()
    }

    @Test func `Updates of two threads are all applied`() {
        let relay = BehaviorRelay(value: 0)
        let subscription = relay.subscribe(observer)
        together {
            for _ in 0..<5_000 { relay.update { $0 += 1 } }
        } _: {
            for _ in 0..<5_000 { relay.update { $0 += 1 } }
        }
        #expect(relay.value == 10_000)
        #expect(observer.values == Array(0...10_000))
        subscription.dispose()
    }

    @Test func `A re-entrant update is applied in order, to the previously accepted value`() {
        let relay = BehaviorRelay(value: 1)
        let bag = DisposeBag()
        relay.subscribe(onNext: { value in
            guard value == 2 else { return }
            relay.update { $0 *= 10 }
            relay.update { $0 += 1 }
            relay.accept(7)
            relay.update { $0 += 1 }
        }).disposed(by: bag)
        relay.subscribe(observer).disposed(by: bag)
        relay.accept(2)
        #expect(observer.values == [1, 2, 20, 21, 7, 8])
        #expect(relay.value == 8)
    }

    @Test func `A subscriber added while an update is queued receives its result`() {
        let relay = BehaviorRelay(value: 1)
        let bag = CompositeDisposable()
        bag.insert(
            relay.subscribe(onNext: { value in
                guard value == 2 else { return }
                relay.update { $0 = 3 }
                bag.insert(relay.subscribe(observer))
            }))
        relay.accept(2)
        #expect(observer.values == [2, 3])
        bag.dispose()
    }

    @Test func `A replaced value is not retained, also after an update`() {
        let relay = BehaviorRelay<Box?>(value: nil)
        weak var box: Box?
        relay.update { held in
            let made = Box()
            held = made
        }
        box = relay.value
        #expect(box != nil)
        relay.accept(nil)
        #expect(box == nil)
    }

    @Test func `A replay relay replays the last elements`() {
        let relay = ReplayRelay<Int>(bufferSize: 2)
        for value in 1...3 { relay.accept(value) }
        relay.subscribe(observer).dispose()
        #expect(observer.values == [2, 3])
    }

    private final class Box: Sendable {}
}
