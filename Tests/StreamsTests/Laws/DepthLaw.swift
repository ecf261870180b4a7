import StreamsTesting
import Testing

/// Streams that lead back to themselves, run by a small stack. How many library objects live meanwhile is counted: memory is constant too.
@Suite("Law 5, streams that lead back to themselves", .onOneThread, .countsResources)
struct DepthLaw {
    /// More frames than fit into 512 KiB, however small each is.
    private static let many = 20_000

    /// Loops within an operator: each takes a turn, which fails or completes when it was the last.
    enum Loop: CaseIterable {
        case concat, concatOfThree, startWith, `catch`, ifEmpty, retryWhen, `repeat`, delayed, onScheduler, timeout, delayedRetry

        /// The stream, from the turn that is next.
        func stream(_ turns: Turns) -> Observable<Int> {
            let again = Observable<Int>.deferred { try turns.take() ? self.stream(turns) : .empty() }
            let failing = Observable<Int>.error(TestError.failed)
            let once = Observable<Int>.deferred { try turns.take() ? failing : .empty() }
            return switch self {
            case .concat: Observable.just(1).concat(again)
            case .concatOfThree: .concat(.just(1), .empty(), again)
            case .startWith: again.startWith(1)
            case .catch: failing.catch { _ in again }
            case .ifEmpty: Observable.empty().ifEmpty(switchTo: again)
            case .retryWhen: once.retry(when: { errors in errors })
            case .repeat:
                Observable<Int>.deferred {
                    guard try turns.take() else { throw TestError.failed }
                    return .just(1)
                }.repeat()
            case .delayed: Observable.just(1).concat(again.delaySubscription(.seconds(1), scheduler: turns.scheduler))
            case .onScheduler: Observable.just(1).concat(again.subscribe(on: turns.scheduler))
            case .timeout: Observable.never().timeout(.seconds(1), other: again, scheduler: turns.scheduler)
            case .delayedRetry: once.retry(.delay(.seconds(1), maxAttempts: .max), scheduler: turns.scheduler)
            }
        }
    }

    /// So many turns, and the most library objects that lived at one of them.
    final class Turns: Sendable {
        let scheduler = VirtualTimeScheduler()
        private let state: Lock<(left: Int, objects: Int)>

        init(_ count: Int) {
            state = Lock((count, 0))
        }

        var mostObjects: Int { state.withLock { $0.objects } }
        var left: Int { state.withLock { $0.left } }

        func take() throws -> Bool {
            let total = Resources.total
            return state.withLock { state in
                state.objects = max(state.objects, total)
                guard state.left > 0 else { return false }
                state.left -= 1
                return true
            }
        }
    }

    @Test(arguments: Loop.allCases) func `A stream that leads back to itself grows neither the stack nor the memory`(_ loop: Loop) {
        onThread {
            let turns = Turns(Self.many)
            let end = Lock(false)
            let subscription = loop.stream(turns).subscribe { event in if event.isStopEvent { end.withLock { $0 = true } } }
            turns.scheduler.run()
            #expect(end.withLock { $0 } && turns.left == 0)
            #expect(turns.mostObjects < 50, "library objects at once")
            subscription.dispose()
        }
    }

    @Test func `Twenty thousand rounds of concat, whose last source leads back to it`() {
        onThread {
            let turns = Turns(Self.many)
            let received = Lock(0)
            let subscription = Loop.concat.stream(turns).subscribe { event in
                if !event.isStopEvent { received.withLock { $0 += 1 } }
            }
            #expect(received.withLock { $0 } == Self.many + 1)
            subscription.dispose()
        }
    }

    @Test func `Twenty thousand elements, each expanded into the next`() {
        onThread {
            let received = Lock(0)
            let stream = Observable.just(1).expand { $0 < Self.many ? .just($0 + 1) : .empty() }
            stream.subscribe { event in if !event.isStopEvent { received.withLock { $0 += 1 } } }.dispose()
            #expect(received.withLock { $0 } == Self.many)
        }
    }

    @Test func `Twenty thousand attempts by a policy, each after a delay`() {
        onThread {
            let turns = Turns(Self.many)
            let end = TestObserver<Int>()
            let subscription = Loop.delayedRetry.stream(turns).subscribe(end)
            turns.scheduler.run()
            #expect(end.isCompleted && turns.left == 0)
            #expect(turns.mostObjects < 50)
            subscription.dispose()
        }
    }

    @Test func `A stream that leads back to itself stops when it is disposed from inside, and in the order of its elements`() {
        let turns = Turns(.max)
        let received = TestObserver<Int>()
        Loop.concat.stream(turns).enumerated().map(\.index).take(1_000).subscribe(received).dispose()
        #expect(received.values == Array(0..<1_000))
    }

    @Test func `An inner stream that leads back to itself does not wait for the outer one`() {
        let log = Output()
        let inner = Observable.just(1).concat(Observable.of(2, 3))
        let outer = Observable.just(0).concat(
            Observable.merge(inner, .just(9)).do(onSubscribed: { log.print("subscribed") }))
        outer.subscribe(onNext: { element in log.print("\(element)") }).dispose()
        #expect(log.lines == ["0", "1", "2", "3", "9", "subscribed"])
    }

    @Test func `Lifetimes and groups of disposables may be nested 20,000 deep`() {
        onThread {
            let disposed = Lock(0)
            @Sendable func count() { disposed.withLock { $0 += 1 } }
            let root = Lifetime()
            var deepest = root
            for _ in 0..<20_000 {
                deepest = deepest.child()
                deepest.add(count)
            }
            root.dispose()
            #expect(disposed.withLock { $0 } == 20_000)
            for make: (any Disposable) -> any Disposable in [
                { CompositeDisposable([Disposables.create(count), $0]) },
                { inner in
                    let serial = SerialDisposable()
                    serial.disposable = inner
                    return serial
                },
                { inner in
                    let single = SingleAssignmentDisposable()
                    single.setDisposable(inner)
                    return single
                },
                { RefCountDisposable($0) },
            ] {
                disposed.withLock { $0 = 0 }
                var outermost = Disposables.create(count)
                for _ in 0..<20_000 { outermost = make(outermost) }
                outermost.dispose()
                #expect(disposed.withLock { $0 } == 1 || disposed.withLock { $0 } == 20_001)
            }
        }
    }

    @Test func `Nested lifetimes are disposed in order: the latest first, nested ones before earlier ones`() {
        let log = Lock<[Int]>([])
        @Sendable func note(_ number: Int) -> @Sendable () -> Void {
            { log.withLock { $0.append(number) } }
        }
        let root = Lifetime()
        root.add(note(6))
        let child = root.child()
        child.add(note(4))
        let grandchild = child.child()
        grandchild.add(note(3))
        grandchild.add(note(2))
        child.add(note(1))
        let empty = root.child()
        let other = root.child()
        other.add(note(0))
        root.dispose()
        #expect(log.withLock { $0 } == [0, 1, 2, 3, 4, 6])
        #expect(empty.isDisposed && grandchild.isDisposed)
    }

    @Test func `Streams that were switched to one inside the other, however deep, are disposed in a loop`() {
        let subjects = (0..<10_000).map { _ in PublishSubject<Int>() }
        @Sendable func nested(_ depth: Int) -> Observable<Int> {
            subjects[depth].flatMapLatest { _ in nested(depth + 1) }
        }
        let subscription = nested(0).subscribe()
        for subject in subjects.dropLast() { subject.onNext(0) }
        #expect(subjects.allSatisfy { $0.hasObservers })
        onThread { subscription.dispose() }
        #expect(!subjects.contains { $0.hasObservers })
    }

    /// As `Docs/Architecture.md` promises, on the small stack of a secondary thread and in debug builds.
    @Test func `A chain of 500 operators, and 100 nested streams, are supported on 512 KiB`() {
        onThread {
            let lastElement = Lock(0)
            let subject = PublishSubject<Int>()
            var chain = subject.asObservable()
            for _ in 0..<500 { chain = chain.map { $0 + 1 } }
            let subscription = chain.subscribe(onNext: { value in lastElement.withLock { $0 = value } })
            subject.onNext(0)
            #expect(lastElement.withLock { $0 } == 500)
            subscription.dispose()
            @Sendable func nested(_ depth: Int) -> Observable<Int> {
                depth == 0 ? .just(7) : Observable.just(1).flatMapLatest { _ in nested(depth - 1) }
            }
            #expect(received(nested(100)) == ["7", "|"])
        }
    }
}
