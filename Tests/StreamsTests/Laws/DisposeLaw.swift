import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 4, dispose stops", .countsResources)
struct DisposeLaw {
    /// For each use of an operator and pair of racing actions. All of them race through the same kernel.
    private let rounds = roundsOfEachUse

    @Test(.onOneThread, arguments: operatorTable)
    func `Disposed between two elements, it receives nothing more and disposes upstream once`(row: OperatorRow) {
        expectNothingAfterDisposal(of: Run(row)) { run in
            run.subscribe()
            run.feed()
        }
    }

    @Test(.onOneThread, arguments: operatorTable) func `Disposed before any element, it disposes upstream immediately`(row: OperatorRow) {
        expectNothingAfterDisposal(of: Run(row)) { $0.subscribe() }
    }

    @Test(.onOneThread, arguments: operatorTable) func `Disposed with a pending timer, it cancels that`(row: OperatorRow) {
        expectNothingAfterDisposal(of: Run(row)) { run in
            run.subscribe()
            run.other.send(.next(run.user.element(100)))
            run.source.send(.next(run.user.element(1)))
            run.source.send(.next(run.user.element(2)))
        }
    }

    @Test(.onOneThread, arguments: operatorTable)
    func `Disposed during an element's delivery, it receives nothing more and disposes upstream once`(row: OperatorRow) {
        expectNothingAfterDisposal(of: Run(row)) { run in
            run.recorder.react { [unowned run] event in
                if !event.isStopEvent, run.isSubscribed { run.dispose() }
            }
            run.subscribe()
            run.feed()
        }
    }

    @Test(.onOneThread, arguments: operatorTable)
    func `Elements emitted during the delivery in which it is disposed are not forwarded`(row: OperatorRow) {
        let (source, other, user) = (PublishSubject<Probed>(), PublishSubject<Probed>(), UserCode())
        let (scheduler, holder) = (VirtualTimeScheduler(), SerialDisposable())
        let state = Lock((isSubscribed: false, isDisposed: false, late: 0))
        let stream = row.apply(Upstreams(source: source.asObservable(), other: other.asObservable(), user: user, scheduler: scheduler))
        // Behind the operator and before the final observer, which receives nothing after its disposal in any case.
        let watched = stream.map { element in
            state.withLock { if $0.isDisposed { $0.late += 1 } }
            return element
        }
        holder.disposable = watched.subscribe { event in
            guard !event.isStopEvent, state.withLock({ $0.isSubscribed && !$0.isDisposed }) else { return }
            source.onNext(user.element(8))
            other.onNext(user.element(9))
            holder.dispose()
            state.withLock { $0.isDisposed = true }
        }
        state.withLock { $0.isSubscribed = true }
        for value in 1...3 {
            scheduler.advance(by: .seconds(2))
            other.onNext(user.element(100 + value))
            source.onNext(user.element(value))
        }
        scheduler.advance(by: .seconds(2))
        #expect(state.withLock { $0.late } == 0)
        holder.dispose()
        source.onCompleted()
    }

    @Test(.onOneThread, arguments: operatorTable)
    func `Disposed inside an operator's closure, it receives nothing more and disposes upstream once`(row: OperatorRow) {
        let discovery = Run(row)
        discovery.subscribe()
        discovery.feed()
        discovery.complete()
        discovery.dispose()
        for closure in discovery.user.calls.keys.sorted() {
            expectNothingAfterDisposal(of: Run(row)) { run in
                run.user.onCall { [unowned run] called in
                    if called == closure, run.isSubscribed { run.dispose() }
                }
                run.subscribe()
                run.feed()
                run.complete()
            }
        }
    }

    @Test(.onOneThread, arguments: operatorTable, [false, true])
    func `Disposed inside the terminal event, it releases its resources once`(row: OperatorRow, fails: Bool) {
        expectNothingAfterDisposal(of: Run(row)) { run in
            run.recorder.react { [unowned run] event in
                if event.isStopEvent { run.dispose() }
            }
            run.subscribe()
            run.feed()
            if fails { run.stop(.error(TestError.failed)) }
            run.complete()
        }
    }

    @Test(arguments: operatorTable)
    func `Disposed by another thread while elements are emitted, at most the delivery in progress finishes`(row: OperatorRow) {
        race(
            rounds: rounds,
            { underWay(row) },
            { run in
                for value in 0..<3 {
                    run.source.send(.next(run.user.element(value)))
                    run.other.send(.next(run.user.element(value)))
                }
            },
            against: { $0.dispose() }
        ) { run in
            #expect(run.recorder.late <= 1)
            #expect(run.recorder.overlapping == 0)
            #expect(run.user.violations == [])
            run.expectReleased()
        }
    }

    @Test(.onOneThread, arguments: operatorTable, [false, true])
    func `Disposed by what its terminal event releases, it receives nothing more`(row: OperatorRow, fails: Bool) {
        expectNothingAfterDisposal(of: Run(row)) { run in
            run.subscribe()
            run.feed()
            run.source.onRelease { [unowned run] in run.dispose() }
            run.stop(fails ? .error(TestError.failed) : .completed)
            run.pass()
        }
    }

    @Test(.onOneThread, arguments: operatorTable) func `Terminated by an upstream during its start, it starts no other`(row: OperatorRow) {
        // An operator that resubscribes would do so without end if each subscription terminates at once, and one that stays connected waits.
        guard row.traits.isDisjoint(with: [.resubscribes, .staysConnected]) else { return }
        for stop in [Observable<Probed>.error(TestError.failed), .empty()] {
            for stopsFirst in [true, false] {
                let hasEnded = Lock(false)
                let lateStarts = Lock(0)
                let watched = Observable<Probed>.create { _ in
                    if hasEnded.withLock({ $0 }) { lateStarts.withLock { $0 += 1 } }
                    return Disposables.create()
                }
                let (source, other) = stopsFirst ? (stop, watched) : (watched, stop)
                let upstreams = Upstreams(source: source, other: other, user: UserCode(), scheduler: VirtualTimeScheduler())
                row.apply(upstreams).subscribe { if $0.isStopEvent { hasEnded.withLock { $0 = true } } }.dispose()
                #expect(lateStarts.withLock { $0 } == 0)
            }
        }
    }

    @Test(arguments: operatorTable)
    func `Disposed by another thread while the upstreams terminate, it releases its resources once`(row: OperatorRow) {
        race(
            rounds: rounds,
            { underWay(row) },
            { run in
                run.source.send(.completed)
                run.other.send(.error(TestError.failed))
            },
            against: { $0.dispose() }
        ) { run in
            #expect(run.recorder.late <= 1)
            #expect(run.recorder.stopEvents.count <= 1)
            run.expectReleased()
        }
    }

    @Test(arguments: operatorTable) func `Two upstreams that terminate concurrently terminate it once`(row: OperatorRow) {
        race(
            rounds: rounds,
            {
                let run = Run(row)
                run.subscribe()
                return run
            },
            { $0.source.send(.error(TestError.failed)) },
            against: { $0.other.send(.error(TestError.failed)) }
        ) { run in
            run.pass()
            #expect(run.recorder.stopEvents.count <= 1)
            run.dispose()
            run.expectReleased()
        }
    }

    /// A run whose other upstream has sent something.
    private func underWay(_ row: OperatorRow) -> Run {
        let run = Run(row)
        run.subscribe()
        run.otherNext(100)
        return run
    }

    /// Disposes what `body` has subscribed to, at the latest after it: everything is released then, once, and nothing is received.
    private func expectNothingAfterDisposal(of run: Run, _ body: (Run) -> Void) {
        body(run)
        run.dispose()
        run.expectReleased()
        let events = run.recorder.events.count
        run.source.send(.next(run.user.element(9)))
        run.other.send(.next(run.user.element(9)))
        run.pass()
        run.source.send(.completed)
        run.other.send(.error(TestError.failed))
        run.pass()
        run.dispose()
        #expect(run.recorder.events.count == events)
        #expect(run.disposedCalls == 1)
        run.expectLaws()
    }

    @Test(.onOneThread)
    func `A stream that a closure returns after it has disposed the subscription does nothing`() async {
        let started = Tally()
        let inner: [Observable<Int>] = [
            .deferred { .just(started.add()) }, .fromCallable { started.add() }, .fromAsync { started.add() },
            .create { send in try await send(started.add()) },
            .using({ BooleanDisposable(isDisposed: started.add() > 0) }, observableFactory: { _ in .never() }),
        ]
        for stream in inner {
            let returning: [@Sendable (@escaping @Sendable () -> Observable<Int>) -> Observable<Int>] = [
                { closure in .deferred { closure() } },
                { closure in Observable.just(1).concat(Observable.never()).flatMapLatest { _ in closure() } },
                { closure in Observable.just(1).concat(Observable.never()).flatMap { _ in closure() } },
                { closure in Observable.just(1).concat(Observable.never()).concatMap { _ in closure() } },
                { closure in Observable.error(TestError.failed).catch { _ in closure() } },
                { closure in Observable.never().multicast({ PublishSubject<Int>() }) { _ in closure() } },
            ]
            for make in returning {
                let (holder, start) = (SerialDisposable(), PublishSubject<Void>())
                holder.disposable = start.take(1).flatMapLatest { _ in
                    make {
                        holder.dispose()
                        return stream
                    }
                }.subscribe { _ in }
                start.onNext(())
            }
        }
        // A task that had been created would have had its turn.
        for _ in 0..<10 { await Task.yield() }
        #expect(started.value == 0)
    }
}
