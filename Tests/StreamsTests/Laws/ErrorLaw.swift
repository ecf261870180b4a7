import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 6, errors propagate", .onOneThread, .countsResources)
struct ErrorLaw {
    @Test(arguments: operatorTable) func `An error of upstream is forwarded unchanged`(row: OperatorRow) {
        let run = Run(row)
        let error = ProbeError()
        run.subscribe()
        run.feed()
        run.stop(.error(error))
        run.other.send(.completed)
        run.pass()
        if row.traits.isDisjoint(with: [.handlesErrors, .endsEarly, .ignoresSource]) {
            #expect(run.recorder.stopEvents.first?.error as? ProbeError === error, "\(run.recorder.events)")
            run.expectReleased()
        }
        run.dispose()
        run.expectLaws()
        run.expectReleased()
    }

    @Test(arguments: operatorTable) func `An error of the other stream fails the operator`(row: OperatorRow) {
        let run = Run(row)
        let error = ProbeError()
        run.subscribe()
        run.feed()
        let listens = run.other.subscriptions > run.other.disposals
        run.other.send(.error(error))
        run.pass()
        run.stop(.completed)
        if listens, !row.traits.contains(.handlesErrors) {
            #expect(run.recorder.stopEvents.first?.error as? ProbeError === error, "\(run.recorder.events)")
        }
        run.dispose()
        run.expectLaws()
        run.expectReleased()
    }

    @Test(arguments: operatorTable)
    func `A throwing closure fails the stream with that very error and disposes upstream`(row: OperatorRow) {
        for fails in [false, true] {
            for closure in closures(of: row, fails: fails) {
                let run = Run(row)
                let error = ProbeError()
                run.user.fail(in: closure, with: error)
                run.subscribe()
                run.feed()
                if run.user.calls[closure] == nil { run.stop(fails ? .error(TestError.failed) : .completed) }
                if run.user.calls[closure] == nil { run.other.send(.completed) }
                let delaysErrors = row.traits.contains(.delaysErrors)
                if delaysErrors { run.complete() }
                #expect(run.recorder.stopEvents.first?.error as? ProbeError === error, "closure \(closure): \(run.recorder.events)")
                #expect(delaysErrors || run.user.calls[closure] == 1, "the closure ran again")
                run.expectReleased()
                run.dispose()
                run.expectLaws()
            }
        }
    }

    @Test func `An unhandled error is reported`() {
        let error = ProbeError()
        let reported = Lock<[any Error]>([])
        let before = Hooks.unhandledError
        Hooks.unhandledError = { error, place in
            guard error is ProbeError else { return before(error, place) }
            reported.withLock { $0.append(error) }
        }
        defer { Hooks.unhandledError = before }
        Observable<Int>.error(error).subscribe(onNext: { _ in }).dispose()
        #expect(reported.withLock { $0 }.first as? ProbeError === error)
    }

    /// The closures that run when upstream ends in that way.
    private func closures(of row: OperatorRow, fails: Bool) -> [Int] {
        let run = Run(row)
        run.subscribe()
        run.feed()
        run.stop(fails ? .error(TestError.failed) : .completed)
        run.other.send(.completed)
        run.pass()
        run.dispose()
        return run.user.calls.keys.sorted()
    }
}
