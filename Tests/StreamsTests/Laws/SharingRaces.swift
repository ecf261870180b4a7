import OperatorCatalogue
import StreamsTesting
import Testing

@testable import Streams

@Suite("Races of shared streams", .countsResources)
struct SharingRaces {
    private static let rounds = 1_000

    /// The ways to share a stream among those who subscribe.
    static let sharings = [
        OperatorRow("share") { $0.source.share() },
        OperatorRow("share(replay:)") { $0.source.share(replay: 1) },
        OperatorRow("share forever") { $0.source.share(replay: 1, scope: .forever) },
        OperatorRow("refCount") { $0.source.publish().refCount() },
    ]

    @Test(arguments: sharings) func `A subscriber added while the last one is disposed is connected`(sharing: OperatorRow) {
        race(
            rounds: Self.rounds,
            { Round(sharing, isFirstIn: true) },
            { $0.first.dispose() },
            against: { $0.subscribe($0.second) }
        ) { round in
            round.tap.send(.next(Probed(1)))
            #expect(round.recorder.values == [1])
            round.second.dispose()
            #expect(round.tap.isLetGo)
        }
    }

    @Test(arguments: sharings)
    func `A subscriber added while the source terminates receives a terminal event, of this connection or of a new one`(
        sharing: OperatorRow
    ) {
        race(
            rounds: Self.rounds,
            { Round(sharing, isFirstIn: true) },
            { $0.tap.send(.completed) },
            against: { $0.subscribe($0.second) }
        ) { round in
            #expect(round.recorder.stopEvents == [.completed])
            #expect(round.tap.isLetGo)
        }
    }

    @Test(arguments: sharings) func `Two concurrent first subscribers share one connection`(sharing: OperatorRow) {
        race(
            rounds: Self.rounds, { Round(sharing, isFirstIn: false) }, { $0.subscribe($0.first) }, against: { $0.subscribe($0.second) }
        ) { round in
            #expect(round.tap.subscriptions == 1)
            round.tap.send(.next(Probed(1)))
            #expect(round.recorder.values == [1, 1])
            round.first.dispose()
            round.second.dispose()
            #expect(round.tap.isLetGo)
        }
    }

    @Test(arguments: sharings) func `A subscriber added while the first one is disposed as it subscribes is connected`(sharing: OperatorRow)
    {
        race(
            rounds: Self.rounds, { Round(sharing, isFirstIn: false) }, { $0.subscribeDisposed() }, against: { $0.subscribe($0.second) }
        ) { round in
            round.tap.send(.next(Probed(1)))
            #expect(round.recorder.values == [1])
            round.second.dispose()
            #expect(round.tap.isLetGo)
        }
    }

    private final class Round: Sendable {
        let tap = Tap()
        let recorder = LawObserver(UserCode())
        let first = SingleAssignmentDisposable()
        let second = SingleAssignmentDisposable()
        private let shared: Observable<Probed>

        init(_ sharing: OperatorRow, isFirstIn: Bool) {
            let scheduler = VirtualTimeScheduler()
            shared = sharing.apply(Upstreams(source: tap.observable, other: .never(), user: UserCode(), scheduler: scheduler))
            if isFirstIn { first.setDisposable(shared.subscribe { _ in }) }
        }

        /// The rest of an operator that looks at its lifetime before it subscribes, if another thread disposes it then.
        func subscribeDisposed() {
            let lifetime = Lifetime()
            lifetime.dispose()
            shared.start(AnyObserver(eventHandler: { _ in }), lifetime)
        }

        func subscribe(_ holder: SingleAssignmentDisposable) {
            holder.setDisposable(shared.subscribe(recorder.on))
        }
    }
}
