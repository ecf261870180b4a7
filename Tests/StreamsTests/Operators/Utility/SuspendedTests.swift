import Streams
import StreamsTesting
import Testing

@Suite("suspended", .countsResources) struct SuspendedTests {
    private let scheduler = TestScheduler()

    @Test func `A source that can be suspended emits nothing meanwhile, and continues where it was`() {
        let (suspension, taken, received) = (Suspension(), Tally(), Collected())
        let subscription = Observable.range(start: 0, count: 10).do(onNext: { _ in _ = taken.add() }).suspended(by: suspension)
            .subscribe(onNext: { number in
                received.append(number)
                suspension.suspend()
            })
        #expect(received.numbers == [0])
        for count in 2...10 {
            suspension.resume()
            #expect(received.numbers == Array(0..<count))
            #expect(taken.value == count)
        }
        subscription.dispose()
    }

    @Test func `What a subject emits meanwhile is buffered as the policy says, and the completion follows it`() {
        let (suspension, subject, received) = (Suspension(), PublishSubject<Int>(), Collected())
        let subscription = subject.suspended(by: suspension, overflow: .dropOldest(capacity: 2))
            .subscribe(onNext: received.append, onCompleted: { received.append(-1) })
        suspension.suspend()
        for number in 1...4 { subject.onNext(number) }
        subject.onCompleted()
        #expect(received.numbers == [])
        suspension.resume()
        #expect(received.numbers == [3, 4, -1])
        subscription.dispose()
    }

    @Test func `A terminal event passes while nothing is buffered`() {
        let (suspension, subject, received) = (Suspension(), PublishSubject<Int>(), Collected())
        suspension.suspend()
        let subscription = subject.suspended(by: suspension).subscribe(onCompleted: { received.append(-1) })
        subject.onCompleted()
        #expect(received.numbers == [-1])
        subscription.dispose()
    }

    @Test func `A suspension that is no longer referenced resumes`() {
        let received = Collected()
        var suspension: Suspension? = Suspension()
        suspension?.suspend()
        let subscription = suspension.map { Observable.of(1, 2).suspended(by: $0).subscribe(onNext: received.append) }
        #expect(received.numbers == [])
        suspension = nil
        #expect(received.numbers == [1, 2])
        subscription?.dispose()
    }

    @Test func `One suspension suspends several streams, and forgets those that have ended`() {
        let (suspension, received) = (Suspension(), Collected())
        let subscriptions = [1, 2].map { number in
            Observable.repeatElement(number).suspended(by: suspension).subscribe(onNext: { number in
                received.append(number)
                suspension.suspend()
            })
        }
        suspension.resume()
        #expect(Set(received.numbers) == [1, 2])
        for subscription in subscriptions { subscription.dispose() }
        let count = received.numbers.count
        suspension.resume()
        #expect(received.numbers.count == count)
    }

    @Test func `An observer may suspend and resume an endless source`() {
        let (suspension, received) = (Suspension(), Collected())
        let subscription = SingleAssignmentDisposable()
        subscription.setDisposable(
            Observable.range(start: 0, count: .max).suspended(by: suspension).subscribe(onNext: { [weak subscription] number in
                received.append(number)
                suspension.suspend()
                if number == 5_000 { subscription?.dispose() } else { suspension.resume() }
            }))
        #expect(received.numbers == Array(0...5_000))
    }

    @Test func `The other stream suspends and resumes`() throws {
        let source = try scheduler.hot("-1-2-3-----4-|", of: Int.self)
        let flags = try scheduler.hot("--t---f---", of: String.self)
        scheduler.start { source.suspended(while: flags.map { $0 == "t" }, scheduler: scheduler) }.expect("-1----(23)-4-|")
    }

    @Test func `The completion of the other stream resumes`() throws {
        let source = try scheduler.hot("--1-2------3|", of: Int.self)
        let flags = try scheduler.hot("-t---|", of: String.self)
        scheduler.start { source.suspended(while: flags.map { $0 == "t" }, scheduler: scheduler) }.expect("-----(12)--3|")
    }

    @Test func `An error of the other stream ends the stream`() throws {
        let source = try scheduler.hot("-1-2-3|", of: Int.self)
        let flags = try scheduler.hot("--t-#", of: String.self)
        scheduler.start { source.suspended(while: flags.map { $0 == "t" }, scheduler: scheduler) }.expect("-1--#")
        source.expectSubscriptions("^---!")
    }

    @Test func `An observer may make the other stream emit while an endless source resumes`() {
        let (flag, received) = (BehaviorRelay(value: true), Collected())
        let subscription = Observable.range(start: 0, count: .max)
            .suspended(while: flag, scheduler: scheduler)
            .subscribe(onNext: { number in
                received.append(number)
                flag.accept(true)
            })
        for count in 1...3 {
            flag.accept(false)
            scheduler.advance(by: .seconds(1))
            #expect(received.numbers == Array(0..<count))
        }
        subscription.dispose()
    }

    @Test(arguments: ["just", "delaySubscription", "subscribe(on:)"])
    func `A start that finds its consumer suspended is made on its scheduler once that is resumed`(name: String) {
        let scheduler = VirtualTimeScheduler()
        let (suspension, received) = (Suspension(), Collected())
        let stream =
            switch name {
            case "just": Observable.just(1, scheduler: scheduler)
            case "delaySubscription": Observable.just(1).delaySubscription(.zero, scheduler: scheduler)
            default: Observable.of(1).subscribe(on: scheduler)
            }
        let subscription = stream.suspended(by: suspension).subscribe(onNext: received.append)
        suspension.suspend()
        scheduler.advance(by: .seconds(1))
        suspension.resume()
        #expect(received.numbers == [])
        scheduler.advance(by: .zero)
        #expect(received.numbers == [1])
        subscription.dispose()
    }
}

private final class Collected: Sendable {
    private let state = Lock<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    @Sendable func append(_ number: Int) {
        state.withLock { $0.append(number) }
    }
}
