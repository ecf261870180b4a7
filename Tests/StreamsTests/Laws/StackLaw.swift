import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 5, constant stack", .onOneThread, .countsResources)
struct StackLaw {
    /// More frames than fit into the small stack, however small each is.
    private static let many = 5_000
    private static let smallStack = 256 << 10
    /// More than fit into the stack of a secondary thread.
    private static let twentyThousand = 20_000

    @Test(arguments: operatorTable) func `Synchronous elements do not grow the stack`(row: OperatorRow) {
        onThread(stackSize: Self.smallStack) {
            let elements = Observable.range(start: 0, count: Self.many).map { Probed($0) }
            let count = count(row, source: elements, other: elements)
            if row.traits.contains(.lossless) { #expect(count == Self.many) }
        }
    }

    @Test(arguments: operatorTable) func `Re-entrant elements do not grow the stack`(row: OperatorRow) {
        onThread(stackSize: Self.smallStack) {
            let subject = PublishSubject<Probed>()
            let received = Tally()
            let holder = SingleAssignmentDisposable()
            let scheduler = VirtualTimeScheduler()
            let upstreams = Upstreams(
                source: subject.asObservable(), other: subject.asObservable(), user: UserCode(), scheduler: scheduler)
            let subscription = row.apply(upstreams).subscribe { event in
                guard !event.isStopEvent else { return }
                let value = received.add()
                if value < Self.many { subject.onNext(Probed(value)) } else { holder.dispose() }
            }
            holder.setDisposable(subscription)
            scheduler.advance(by: .seconds(2))
            subject.onNext(Probed(0))
            scheduler.advance(by: .seconds(2))
            holder.dispose()
        }
    }

    @Test func `Twenty thousand sources in sequence, each completing synchronously`() {
        onThread {
            expectAll(.concat(repeatElement(Observable.just(1), count: Self.twentyThousand)))
        }
    }

    @Test func `Twenty thousand attempts, each failing synchronously`() {
        onThread {
            let attempts = Tally()
            let source = Observable<Int>.create { observer in
                if attempts.add() < Self.twentyThousand { observer.onError(TestError.failed) } else { observer.onCompleted() }
                return Disposables.create()
            }
            let end = TestObserver<Int>()
            let subscription = source.retry().subscribe(end)
            #expect(end.isCompleted && attempts.value == Self.twentyThousand)
            subscription.dispose()
        }
    }

    @Test func `Twenty thousand elements, each mapped to a stream`() {
        onThread {
            let numbers = Observable.range(start: 0, count: Self.twentyThousand)
            expectAll(numbers.concatMap { Observable.just($0) })
            expectAll(numbers.flatMap { Observable.just($0) })
        }
    }

    @Test func `Twenty thousand elements, each emitted in response to the previous one`() {
        onThread {
            let subject = PublishSubject<Int>()
            let last = Lock(0)
            let subscription = subject.subscribe { event in
                guard let element = event.element else { return }
                last.withLock { $0 = element }
                if element < Self.twentyThousand { subject.onNext(element + 1) }
            }
            subject.onNext(1)
            #expect(last.withLock { $0 } == Self.twentyThousand)
            subscription.dispose()
        }
    }

    @Test func `Runs of a periodic timer on a scheduler that runs its actions synchronously`() {
        onThread(stackSize: Self.smallStack) {
            let ticks = received(Observable<Int>.interval(.nanoseconds(1), scheduler: ImmediateScheduler.instance).take(Self.many).count())
            #expect(ticks == ["\(Self.many)", "|"])
        }
    }

    private func count(_ row: OperatorRow, source: Observable<Probed>, other: Observable<Probed>) -> Int {
        let received = Lock(0)
        let scheduler = VirtualTimeScheduler()
        let upstreams = Upstreams(source: source, other: other.take(2), user: UserCode(), scheduler: scheduler)
        let subscription = row.apply(upstreams).subscribe { event in
            if !event.isStopEvent { received.withLock { $0 += 1 } }
        }
        scheduler.advance(by: .seconds(4))
        subscription.dispose()
        return received.withLock { $0 }
    }

    private func expectAll(_ stream: Observable<Int>) {
        let received = Lock(0)
        let subscription = stream.subscribe { event in
            if !event.isStopEvent { received.withLock { $0 += 1 } }
        }
        subscription.dispose()
        #expect(received.withLock { $0 } == Self.twentyThousand)
    }
}
