import Streams
import StreamsTesting
import Testing

@Suite("Subscribers that are actors", .countsResources) struct SubscribeIsolatedTests {
    /// An actor that is a source and a sink, with no `Task`.
    private actor Counter {
        nonisolated let totals = BehaviorRelay(value: 0)
        private let bag = DisposeBag()
        private(set) var total = 0

        func follow(_ numbers: Observable<Int>) {
            numbers.subscribe(isolatedTo: self) { counter, number in
                counter.total += number
                counter.totals.accept(counter.total)
            }.disposed(by: bag)
        }
    }

    @Test func `An actor is a sink and a source`() async throws {
        let counter = Counter()
        await counter.follow(.of(1, 2, 3))
        #expect(try await counter.totals.firstElement { $0 == 6 } == 6)
        #expect(await counter.total == 6)
    }

    @Test func `An isolated method of an actor is called for each element, in order, and then its end`() async {
        let ledger = Ledger()
        let source = Observable.range(start: 0, count: 10_000).subscribe(on: SerialDispatchQueueScheduler())
        let subscription = source.subscribe(
            isolatedTo: ledger, onNext: { $0.add($1) }, onError: { ledger, _ in ledger.ends.append("error") },
            onCompleted: { $0.ends.append("completed") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.numbers == Array(0..<10_000))
        #expect(await ledger.ends == ["completed"])
        subscription.dispose()
    }

    @Test func `An error follows the elements`() async {
        let ledger = Ledger()
        let subscription = Observable.concat(.of(1, 2), .error(Received.Failure())).subscribe(
            isolatedTo: ledger, onNext: { $0.add($1) }, onError: { ledger, error in ledger.ends.append("\(error is Received.Failure)") },
            onCompleted: { $0.ends.append("completed") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.numbers == [1, 2])
        #expect(await ledger.ends == ["true"])
        subscription.dispose()
    }

    @Test func `What the actor has not taken follows the policy`() async {
        let ledger = Ledger()
        let subscription = Observable.of(1, 2, 3).subscribe(
            isolatedTo: ledger, overflow: .fail(capacity: 1), onNext: { $0.add($1) },
            onError: { ledger, error in ledger.ends.append("\(error as? StreamError == .overflow(capacity: 1))") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.ends == ["true"])
        subscription.dispose()
    }

    @Test func `Disposed on the actor, it receives nothing more`() async {
        let (ledger, holder, disposals) = (Ledger(), SingleAssignmentDisposable(), Tally())
        let subject = ReplaySubject<Int>(bufferSize: 5)
        for number in 1...5 { subject.onNext(number) }
        holder.setDisposable(
            subject.do(onDispose: { disposals.add() }).subscribe(isolatedTo: ledger) { ledger, number in
                ledger.add(number)
                if number == 2 { holder.dispose() }
            })
        await wait { disposals.value == 1 }
        for _ in 0..<50 { await Task.yield() }
        #expect(await ledger.numbers == [1, 2])
        #expect(disposals.value == 1)
    }

    @Test func `An actor is not kept alive by its subscription, which ends after it`() async {
        let (subject, disposals, deliveries) = (PublishSubject<Int>(), Tally(), Tally())
        var ledger: Ledger? = Ledger()
        weak let released = ledger
        let subscription = subject.do(onDispose: { disposals.add() }).subscribe(isolatedTo: ledger!) { _, _ in deliveries.add() }
        subject.onNext(1)
        await wait { deliveries.value == 1 }
        ledger = nil
        await wait { released == nil }
        subject.onNext(2)
        await wait { disposals.value == 1 }
        #expect(disposals.value == 1 && deliveries.value == 1)
        subscription.dispose()
    }

    @Test func `An actor's subscription that is disposed while elements are emitted finishes at most one closure`() async {
        for _ in 0..<rounds(2_000) {
            let (ledger, subject, isDisposed, late) = (Ledger(), PublishSubject<Int>(), Tally(), Tally())
            let subscription = subject.subscribe(isolatedTo: ledger) { ledger, number in
                if isDisposed.value > 0 { late.add() }
                ledger.add(number)
            }
            async let emitted: Void = emit(10, into: subject)
            await Task.yield()
            subscription.dispose()
            isDisposed.add()
            await emitted
            let numbers = await ledger.numbers
            #expect(numbers == numbers.sorted())
            #expect(late.value <= 1)
        }
    }
}
