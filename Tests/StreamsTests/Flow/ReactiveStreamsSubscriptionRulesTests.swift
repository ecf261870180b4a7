import Dispatch
import StreamsTesting
import Testing

/// Continues `ReactiveStreamsRulesTests`: the rules of subscriptions, and of what is a subscriber and a publisher.
@Suite("Rules of Reactive Streams, 3: subscriptions", .countsResources)
struct SubscriptionRulesTests {
    private final class Captured: Sendable {}

    private func resumingSubscriber() -> (GatedSubscriber, release: () -> Void) {
        let box = Lock<GatedSubscriber?>(nil)
        let subscriber = GatedSubscriber(closesAtElements: true) { _ in box.withLock { $0 }?.gate.resume().perform() }
        box.withLock { $0 = subscriber }
        return (subscriber, { box.withLock { $0 = nil } })
    }

    @Test func `3.2, 3.3: Resumed from within each element, a source goes on, and the stack does not grow`() {
        onThread {
            let (subscriber, release) = resumingSubscriber()
            subscriber.subscribe(to: .range(start: 0, count: 100_000))
            #expect(subscriber.elements == Array(0..<100_000) && subscriber.isTerminated)
            release()
        }
    }

    @Test func `3.4: Resuming returns before a source on a scheduler has emitted`() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(to: Observable.range(start: 0, count: 3).subscribe(on: scheduler))
        scheduler.advance(by: .seconds(1))
        subscriber.gate.resume().perform()
        #expect(subscriber.elements == [0])
        scheduler.advance(by: .seconds(1))
        #expect(subscriber.elements == [0, 1])
        subscriber.gate.dispose()
    }

    @Test func `3.5, 3.7: Disposing twice, and on two threads, disposes once`() {
        for _ in 0..<200 {
            let disposals = Tally()
            let subscriber = GatedSubscriber(closesAtElements: true)
            subscriber.subscribe(to: Observable.range(start: 0, count: 3).do(onDispose: { disposals.add() }))
            together {
                subscriber.gate.dispose()
            } _: {
                subscriber.gate.dispose()
            }
            subscriber.gate.dispose()
            #expect(disposals.value == 1)
        }
    }

    @Test func `3.6: Resuming what is disposed does nothing`() {
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(to: .range(start: 0, count: 3))
        subscriber.gate.dispose()
        for _ in 0..<3 { subscriber.gate.resume().perform() }
        #expect(subscriber.elements == [0])
    }

    @Test func `3.8: Resuming is not counted: one suspension follows any number of resumptions`() {
        let subscriber = GatedSubscriber(closesAtElements: true)
        for _ in 0..<5 { subscriber.gate.resume().perform() }
        subscriber.subscribe(to: .range(start: 0, count: 3))
        #expect(subscriber.elements == [0])
        subscriber.gate.suspend()
        subscriber.gate.resume().perform()
        #expect(subscriber.elements == [0, 1])
        subscriber.gate.dispose()
    }

    @Test func `3.10, 3.11: Resuming a synchronous source emits its elements and its end before it returns`() {
        let subscriber = GatedSubscriber()
        subscriber.gate.suspend()
        subscriber.subscribe(to: .range(start: 0, count: 3))
        subscriber.gate.resume().perform()
        #expect(subscriber.elements == [0, 1, 2] && subscriber.isTerminated)
    }

    @Test func `3.12: Disposing on another thread stops an endless source`() {
        let subscriber = GatedSubscriber()
        let isEmitting = DispatchSemaphore(value: 0)
        together {
            subscriber.subscribe(to: Observable.from(0...).do(onNext: { if $0 == 0 { isEmitting.signal() } }))
        } _: {
            isEmitting.wait()
            subscriber.gate.dispose()
        }
        #expect(subscriber.gate.isDisposed && !subscriber.isTerminated)
    }

    @Test func `3.13: Disposing a suspended subscription releases what its subscriber has captured`() {
        weak var released: Captured?
        let gate = Gate()
        do {
            let captured = Captured()
            released = captured
            Observable.range(start: 0, count: 3).subscribe(in: gate) { _ in
                withExtendedLifetime(captured) { gate.suspend() }
            }
        }
        #expect(released != nil)
        gate.dispose()
        #expect(released == nil)
    }

    @Test func `3.14: The last disposal stops what is shared, and the next subscriber starts it anew`() {
        let (subscriptions, disposals) = (Tally(), Tally())
        let shared = Observable<Int>.create { _ in
            subscriptions.add()
            return Disposables.create { disposals.add() }
        }
        .share()
        for round in 1...2 {
            let subscribers = [GatedSubscriber(), GatedSubscriber()]
            for subscriber in subscribers { subscriber.subscribe(to: shared) }
            for subscriber in subscribers { subscriber.gate.dispose() }
            #expect(subscriptions.value == round && disposals.value == round)
        }
    }

    @Test func `3.17: Suspended and resumed any number of times, a stream emits everything; never suspended, it emits without a bound`() {
        let (often, never) = (GatedSubscriber(closesAtElements: true), GatedSubscriber())
        often.subscribe(to: .range(start: 0, count: 20_000))
        often.resumeUntilTerminated()
        never.subscribe(to: .range(start: 0, count: 20_000))
        #expect(often.elements == Array(0..<20_000) && never.elements == often.elements)
    }
}

@Suite("Rules of Reactive Streams, 4: processors", .countsResources)
struct ProcessorRulesTests {
    private struct Failure: Error {}

    @Test func `4.1: An operator is suspended by its downstream, and suspends its source`() {
        let pulled = Tally()
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(
            to: Observable.range(start: 0, count: 10).do(onNext: { _ in pulled.add() }).map { $0 * 2 }.filter { _ in true })
        #expect(pulled.value == 1 && subscriber.elements == [0])
        subscriber.gate.resume().perform()
        #expect(pulled.value == 2 && subscriber.elements == [0, 2])
        subscriber.gate.dispose()
    }

    @Test func `4.1: A subject passes events on one at a time, and is hot: it is not suspended`() {
        let subject = PublishSubject<Int>()
        let subscriber = GatedSubscriber(closesAtElements: true)
        subscriber.subscribe(to: subject.asObservable())
        _ = Observable.range(start: 0, count: 3).subscribe(subject)
        subject.onNext(3)
        #expect(subscriber.elements == [0, 1, 2] && subscriber.isTerminated)
    }

    @Test func `4.2: An operator passes an error on at once, or disposes the failed source and goes on when it is resumed`() {
        let (failing, disposals) = (PublishSubject<Int>(), Tally())
        let (passing, recovering) = (GatedSubscriber(closesAtElements: true), GatedSubscriber(closesAtElements: true))
        passing.subscribe(to: failing.map { $0 })
        recovering.subscribe(to: failing.do(onDispose: { disposals.add() }).catch { _ in .from([8, 9]) })
        failing.onNext(1)
        failing.onError(Failure())
        #expect(passing.elements == [1] && passing.error is Failure)
        #expect(recovering.elements == [1] && disposals.value == 1)
        recovering.resumeUntilTerminated()
        #expect(recovering.elements == [1, 8, 9] && recovering.error == nil)
    }
}
