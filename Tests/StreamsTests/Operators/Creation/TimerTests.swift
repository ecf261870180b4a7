import Streams
import StreamsTesting
import Testing

@Suite("timer", .onOneThread, .countsResources) struct TimerTests {
    @Test func `A deadline passes behind a consumer that stays suspended`() {
        let scheduler = VirtualTimeScheduler()
        let (suspension, numbers) = (Suspension(), PublishSubject<Int>())
        let deadline = Observable<Int>.timer(.seconds(5), scheduler: scheduler).map { _ -> Int in throw TestError.failed }
        let events = Lock<[String]>([])
        let subscription = Observable.merge(numbers.asObservable(), deadline).suspended(by: suspension).subscribe { event in
            events.withLock { $0.append("\(event)") }
            suspension.suspend()
        }
        numbers.onNext(1)
        scheduler.advance(by: .seconds(4))
        #expect(events.withLock { $0 }.count == 1)
        scheduler.advance(by: .seconds(1))
        #expect(events.withLock { $0 }.count == 2)
        subscription.dispose()
    }

    @Test func `A timer with a period skips ticks while its consumer is suspended, and its number tells how many`() {
        let scheduler = VirtualTimeScheduler()
        let suspension = Suspension()
        let received = Lock<[Int]>([])
        let subscription = Observable<Int>.interval(.seconds(1), scheduler: scheduler)
            .suspended(by: suspension, overflow: .suspend(capacity: 1))
            .subscribe(onNext: { number in received.withLock { $0.append(number) } })
        scheduler.advance(by: .seconds(2))
        suspension.suspend()
        scheduler.advance(by: .seconds(5))
        suspension.resume()
        scheduler.advance(by: .seconds(1))
        #expect(received.withLock { $0 } == [0, 1, 7])
        subscription.dispose()
    }
}
