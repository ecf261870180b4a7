import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 1, grammar", .onOneThread, .countsResources)
struct GrammarLaw {
    /// Ends, and what a bad source does after it.
    private static let endings: [[Event<Int>]] = [
        [.completed, .completed], [.completed, .next(2)], [.completed, .error(TestError.failed)], [.error(TestError.failed), .completed],
        [.error(TestError.failed), .next(2), .completed], [.completed, .next(2), .completed, .next(3), .error(TestError.failed)],
    ]

    @Test(arguments: operatorTable) func `Nothing follows the terminal event of a source that continues`(row: OperatorRow) {
        for ending in Self.endings {
            let run = Run(row, source: Tap(looksAtLifetime: false), other: Tap(looksAtLifetime: false))
            run.subscribe()
            run.feed()
            for event in ending {
                run.stop(event.map(run.user.element))
                run.otherNext(102)
            }
            for event in ending { run.other.send(event.map(run.user.element)) }
            run.pass()
            run.dispose()
            run.expectLaws()
            run.expectReleased()
            run.forgetUpstreams()
        }
    }

    @Test(arguments: operatorTable)
    func `Nothing follows the terminal event of a source that continues while it is subscribed to`(row: OperatorRow) {
        guard !row.traits.contains(.resubscribes) || !row.traits.contains(.handlesErrors) else { return }
        for ending in Self.endings {
            let script = ([.next(1)] + ending).map { $0.map { Probed($0) } }
            let run = Run(row, source: Tap(looksAtLifetime: false, script: script), other: Tap(looksAtLifetime: false, script: script))
            run.subscribe()
            run.pass()
            run.dispose()
            run.expectLaws()
            run.expectReleased()
            run.forgetUpstreams()
        }
    }

    @Test(arguments: operatorTable) func `Downstream operators receive one terminal event only`(row: OperatorRow) {
        let chained = OperatorRow(row.name) { up in row.apply(up).catchAndComplete().concat(Observable.just(up.user.element(-1))) }
        for ending in Self.endings {
            let run = Run(chained, source: Tap(looksAtLifetime: false))
            run.subscribe()
            run.feed()
            for event in ending { run.stop(event.map(run.user.element)) }
            run.other.send(.completed)
            run.pass()
            let values = run.recorder.values
            #expect(values.filter { $0 == -1 }.count == (run.recorder.stopEvents.isEmpty ? 0 : 1), "\(values)")
            #expect(!values.dropLast().contains(-1), "\(values)")
            run.dispose()
            run.expectLaws()
            run.forgetUpstreams()
        }
    }

    @Test(arguments: operatorTable) func `A terminated operator receives nothing more from upstream`(row: OperatorRow) {
        for script in [[], [.next(1), .next(2), .completed]] as [[Event<Int>]] {
            let (above, below) = (LawObserver(UserCode()), LawObserver(UserCode()))
            let chained = OperatorRow(row.name) { up in row.apply(up).noted(by: above).take(1).noted(by: below) }
            let probed = script.map { $0.map { Probed($0) } }
            let run = Run(chained, source: Tap(script: probed), other: Tap(script: probed))
            run.subscribe()
            run.feed()
            run.complete()
            run.dispose()
            #expect(above.events.count <= 1, "\(above.events)")
            below.expectGrammar()
            run.forgetUpstreams()
        }
    }

    @Test(arguments: operatorTable) func `A stream whose upstreams complete completes`(row: OperatorRow) {
        let run = Run(row)
        run.subscribe()
        run.feed()
        run.complete()
        if !row.traits.contains(.endless) {
            #expect(run.recorder.stopEvents.map(\.isCompleted) == [true], "\(run.recorder.events)")
            run.expectReleased()
        }
        if row.traits.contains(.lossless) { #expect(run.recorder.values == [1, 2, 3]) }
        run.dispose()
        run.expectLaws()
        run.expectReleased()
    }
}

extension Observable<Probed> {
    /// Records what passes between two operators, where no one ignores events after the terminal event.
    fileprivate func noted(by recorder: LawObserver) -> Observable<Probed> {
        self.do(
            onNext: { recorder.on(.next($0)) }, onError: { recorder.on(.error($0)) }, onCompleted: { recorder.on(.completed) })
    }
}
