import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 7, cold", .onOneThread, .countsResources)
struct ColdLaw {
    @Test(arguments: operatorTable) func `Nothing happens before the subscription`(row: OperatorRow) {
        let run = Run(row)
        run.pass()
        #expect(run.source.subscriptions == 0 && run.other.subscriptions == 0)
        #expect(run.user.calls.isEmpty)
        #expect(run.scheduler.isIdle)
        run.subscribe()
        run.dispose()
        run.expectReleased()
    }

    @Test(arguments: operatorTable) func `Each subscriber receives everything anew`(row: OperatorRow) {
        let run = Run(row)
        let second = LawObserver(run.user)
        let subscription = run.subscribe(second)
        run.subscribe()
        if row.traits.isDisjoint(with: [.ignoresSource]) {
            let (count, expected) = (run.source.subscriptions, row.traits.contains(.shares) ? 1 : 2)
            #expect(row.traits.contains(.resubscribes) ? count >= expected : count == expected)
        }
        run.feed()
        run.complete()
        subscription.dispose()
        run.dispose()
        #expect(run.recorder.events == second.events)
        run.expectLaws()
        run.expectReleased()
    }
}
