import StreamsTesting
import Testing

/// The rules of Reactive Streams that apply to streams that are suspended by gates, by their numbers; `ReactiveStreams.md` beside this file has the others.
///
/// Source: [Reactive Streams, specification](https://github.com/reactive-streams/reactive-streams-jvm#specification).
@Suite("Rules of Reactive Streams, 1: publishers", .countsResources)
struct PublisherRulesTests {
    private struct Failure: Error {}

    private static let sources: [Observable<Int>] = [
        .from([1, 2, 3]), .range(start: 1, count: 3), .of(1, 2, 3),
        .generate(initialState: 1, condition: { $0 <= 3 }, iterate: { $0 + 1 }),
        Observable.concat(.from([1]), .from([2]), .from([3])), Observable.of([1], [2, 3]).flatMap { Observable.from($0) },
        Observable.zip(Observable.of(1, 2, 3), Observable.of(0, 0, 0)) { $0 + $1 },
    ]

    @Test(arguments: sources.indices)
    func `1.1: A source emits nothing while its subscriber suspends it, and one element from within which it does`(index: Int) {
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.gate.suspend()
        subscriber.subscribe(to: Self.sources[index])
        #expect(subscriber.events.isEmpty)
        for count in 1...3 {
            subscriber.gate.resume().perform()
            #expect(subscriber.elements == Array(1...count))
        }
        subscriber.resumeUntilTerminated()
        #expect(subscriber.elements == [1, 2, 3])
    }

    @Test func `1.2: A source may emit fewer elements than its subscriber would take, and terminate`() {
        let (empty, short, failed) = (GatedSubscriber(), GatedSubscriber(), GatedSubscriber())
        empty.subscribe(to: .empty())
        short.subscribe(to: .just(1))
        failed.subscribe(to: .error(Failure()))
        #expect(empty.events.count == 1 && empty.isTerminated)
        #expect(short.elements == [1] && short.isTerminated)
        #expect(failed.events.count == 1 && failed.error is Failure)
    }

    @Test func `1.3: Events are received one at a time, also from two threads, suspended and resumed by a third`() {
        let (active, overlaps) = (Tally(), Tally())
        let subscriber = GatedSubscriber { _ in
            if active.add() != 1 { overlaps.add() }
            active.add(-1)
        }
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        subscriber.subscribe(to: .merge([first.asObservable(), second.asObservable(), .range(start: 0, count: 1_000)]))
        together {
            for number in 0..<1_000 { first.onNext(number) }
        } _: {
            for number in 0..<1_000 {
                second.onNext(number)
                subscriber.gate.suspend()
                subscriber.gate.resume().perform()
            }
        }
        #expect(overlaps.value == 0 && subscriber.elements.count == 3_000)
        subscriber.gate.dispose()
    }

    @Test func `1.4: A source that fails emits the error, also while it is suspended`() {
        let subject = PublishSubject<Int>()
        let (open, closed) = (GatedSubscriber(), GatedSubscriber(closesAtElements: true))
        open.subscribe(
            to: Observable.range(start: 0, count: 10).map { number -> Int in
                guard number < 3 else { throw Failure() }
                return number
            })
        closed.subscribe(to: Observable.merge(.just(1), subject.asObservable()))
        subject.onError(Failure())
        #expect(open.elements == [0, 1, 2] && open.error is Failure)
        #expect(closed.elements == [1] && closed.error is Failure)
    }

    @Test func `1.5: A source that has no more elements completes, when it is resumed behind the last`() {
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(to: .just(1))
        subscriber.gate.resume().perform()
        #expect(subscriber.elements == [1] && subscriber.isTerminated && subscriber.error == nil)
    }

    @Test(arguments: [true, false]) func `1.6: The terminal event disposes the subscription`(fails: Bool) {
        let disposals = Tally()
        let subscriber = GatedSubscriber()
        subscriber.subscribe(
            to: .create { observer in
                if fails { observer.onError(Failure()) } else { observer.onCompleted() }
                return Disposables.create { disposals.add() }
            })
        #expect(subscriber.gate.isDisposed && disposals.value == 1)
    }

    @Test func `1.7: Nothing follows the terminal event, also not what waited`() {
        let subject = PublishSubject<Int>()
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(
            to: .create { observer in
                subject.subscribe(observer)
            })
        subject.onNext(1)
        subject.onError(Failure())
        subject.onNext(2)
        subject.onCompleted()
        subscriber.gate.resume().perform()
        #expect(subscriber.events.count == 2 && subscriber.error is Failure)
    }

    @Test func `1.8: Disposed from within an element, or while suspended, a source emits nothing more`() {
        let box = Lock<GatedSubscriber?>(nil)
        let inside = GatedSubscriber { _ in box.withLock { $0 }?.gate.dispose() }
        box.withLock { $0 = inside }
        inside.subscribe(to: .range(start: 0, count: 10))
        let suspended = GatedSubscriber(closesAtElements: true)
        suspended.subscribe(to: .range(start: 0, count: 10))
        suspended.gate.dispose()
        suspended.gate.resume().perform()
        #expect(inside.elements == [0] && suspended.elements == [0])
        box.withLock { $0 = nil }
    }

    @Test func `1.9: A subscriber can suspend a source before it emits, and what goes wrong on subscribing is an error`() {
        let (suspended, failed) = (GatedSubscriber(), GatedSubscriber())
        suspended.gate.suspend()
        suspended.subscribe(to: .range(start: 0, count: 3))
        failed.subscribe(to: .deferred { throw Failure() })
        #expect(suspended.events.isEmpty && failed.error is Failure)
        suspended.gate.resume().perform()
        #expect(suspended.elements == [0, 1, 2])
    }

    @Test func `1.10: A stream can be subscribed to any number of times, each time from the beginning`() {
        let source = Observable.range(start: 0, count: 3)
        for _ in 0..<100 {
            let subscriber = GatedSubscriber(closesAtElements: true)
            subscriber.subscribe(to: source)
            subscriber.resumeUntilTerminated()
            #expect(subscriber.elements == [0, 1, 2])
        }
    }

    @Test func `1.11: One subscriber of a cold stream is suspended without the other, and a shared stream is not suspended`() {
        let cold = Observable.range(start: 0, count: 3)
        let subject = PublishSubject<Int>()
        let shared = subject.share()
        let subscribers = [true, false].map { GatedSubscriber(closesAtElements: $0) }
        let listeners = [true, false].map { GatedSubscriber(closesAtElements: $0) }
        for subscriber in subscribers { subscriber.subscribe(to: cold) }
        for listener in listeners { listener.subscribe(to: shared) }
        for number in 0..<3 { subject.onNext(number) }
        #expect(subscribers.map(\.elements) == [[0], [0, 1, 2]])
        #expect(listeners.map(\.elements) == [[0, 1, 2], [0, 1, 2]])
        for subscriber in subscribers + listeners { subscriber.gate.dispose() }
    }
}

@Suite("Rules of Reactive Streams, 2: subscribers", .countsResources)
struct SubscriberRulesTests {
    private struct Failure: Error {}

    @Test func `2.2: A slow subscriber on another scheduler suspends the source, instead of holding up its thread`() {
        let scheduler = VirtualTimeScheduler()
        let pulled = Tally()
        let subscriber = GatedSubscriber()
        subscriber.subscribe(
            to: Observable.range(start: 0, count: 1_000).do(onNext: { _ in pulled.add() })
                .observe(on: scheduler, overflow: .suspend(capacity: 16)))
        #expect(pulled.value == 16 && subscriber.events.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(subscriber.elements == Array(0..<1_000) && subscriber.isTerminated)
    }

    @Test func `2.3, 2.4: Disposing, suspending and resuming from within the terminal event do nothing`() {
        let box = Lock<GatedSubscriber?>(nil)
        let subscriber = GatedSubscriber { event in
            guard event.isStopEvent, let gate = box.withLock({ $0?.gate }) else { return }
            gate.suspend()
            gate.resume().perform()
            gate.dispose()
        }
        box.withLock { $0 = subscriber }
        subscriber.subscribe(to: .range(start: 0, count: 3))
        subscriber.gate.suspend()
        subscriber.gate.resume().perform()
        #expect(subscriber.elements == [0, 1, 2] && subscriber.events.count == 4)
        box.withLock { $0 = nil }
    }

    @Test func `2.6: An operator that needs no more elements disposes its source, also if downstream is suspended`() {
        let disposals = Tally()
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(to: Observable.range(start: 0, count: 10).do(onDispose: { disposals.add() }).take(1))
        #expect(subscriber.elements == [0] && subscriber.isTerminated && disposals.value == 1)
    }

    @Test func `2.7: Suspending, resuming and disposing need no order: they are thread-safe`() {
        for _ in 0..<200 {
            let subscriber = GatedSubscriber()
            together {
                subscriber.subscribe(to: .range(start: 0, count: 1_000))
                subscriber.gate.dispose()
            } _: {
                for _ in 0..<50 {
                    subscriber.gate.suspend()
                    subscriber.gate.resume().perform()
                }
            }
            let received = subscriber.elements
            #expect(received == Array(0..<received.count))
        }
    }

    @Test func `2.9, 2.10: The end of a stream without elements is received without resuming`() {
        let (empty, failed) = (GatedSubscriber(), GatedSubscriber())
        for subscriber in [empty, failed] { subscriber.gate.suspend() }
        empty.subscribe(to: .empty())
        failed.subscribe(to: .error(Failure()))
        #expect(empty.isTerminated && empty.error == nil && failed.error is Failure)
    }

    @Test func `2.13: A closure that throws disposes its source, and the error is received`() {
        let disposals = Tally()
        let subscriber = GatedSubscriber()
        let source = Observable.range(start: 0, count: 10).do(onDispose: { disposals.add() })
        subscriber.subscribe(to: source.filter { _ in throw Failure() })
        #expect(subscriber.events.count == 1 && subscriber.error is Failure && disposals.value == 1)
    }
}
