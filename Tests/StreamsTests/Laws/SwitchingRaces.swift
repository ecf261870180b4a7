import OperatorCatalogue
import Streams
import StreamsTesting
import Testing

/// Streams that one thread subscribes to and another disposes: `flatMapLatest` begins one lifetime again and again, and a subject's list of
/// observers borrows what their lifetimes own.
@Suite("Races of switching and of subjects", .countsResources)
struct SwitchingRaces {
    private static let rounds = 1_000

    @Test func `A stream switched to while the subscription is disposed is disposed too`() {
        race(
            rounds: Self.rounds, { Round() },
            { round in for number in 0..<6 { round.outer.onNext(number) } },
            against: { $0.subscription.dispose() }
        ) { round in
            #expect(round.isLetGo)
        }
    }

    @Test func `A stream switched to while the previous one emits replaces it`() {
        race(
            rounds: Self.rounds, { Round() },
            { round in for number in 0..<6 { round.outer.onNext(number) } },
            against: { round in for number in 0..<6 { round.inner.onNext(number) } }
        ) { round in
            round.outer.onNext(0)
            let received = round.received.value
            round.inner.onNext(1)
            #expect(round.received.value == received + 1)
            round.subscription.dispose()
            #expect(round.isLetGo)
        }
    }

    @Test func `A stream switched to from within an element is disposed with the subscription`() {
        race(
            rounds: Self.rounds, { Round(isReentrant: true) },
            { round in for number in 0..<3 { round.outer.onNext(number) } },
            against: { $0.subscription.dispose() }
        ) { round in
            #expect(round.isLetGo)
        }
    }

    @Test func `A stream that remains once the outer one is over is disposed with the subscription`() {
        race(
            rounds: Self.rounds, { Round(isSwitched: true) }, { $0.outer.onCompleted() }, against: { $0.subscription.dispose() }
        ) { round in
            #expect(round.isLetGo)
        }
    }

    @Test func `A stream that terminates while the outer one does completes the whole`() {
        race(
            rounds: Self.rounds, { Round(isSwitched: true) }, { $0.outer.onCompleted() }, against: { $0.inner.onCompleted() }
        ) { round in
            #expect(round.isCompleted.value == 1)
            #expect(round.isLetGo)
        }
    }

    @Test func `An observer of a subject that is disposed while the subject terminates is released once`() {
        race(
            rounds: Self.rounds, { Round() }, { $0.inner.onCompleted() },
            against: { round in
                round.subscriptions[0].dispose()
                round.subscriptions[1].dispose()
            }
        ) { round in
            #expect(round.isLetGo)
            round.subscription.dispose()
        }
    }

    @Test func `An observer that is added to a subject while its subscription is disposed does not stay`() {
        race(
            rounds: Self.rounds, { Round() },
            { round in
                let others = (0..<4).map { _ in round.inner.asObservable() }
                round.late.setDisposable(Observable.merge(others).take(until: round.outer).subscribe())
            },
            against: { round in
                round.outer.onNext(0)
                round.late.dispose()
                round.subscription.dispose()
            }
        ) { round in
            #expect(round.isLetGo)
        }
    }

    /// A switch between two streams of a subject and one of another kind, beside two observers of that subject.
    private final class Round: Sendable {
        let outer = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        let tap = Tap()
        let received = Tally()
        let isCompleted = Tally()
        let subscription: any Disposable
        let subscriptions: [any Disposable]
        let late = SingleAssignmentDisposable()

        /// Whether nothing is subscribed any more once the two observers are disposed as well.
        var isLetGo: Bool {
            for subscription in subscriptions { subscription.dispose() }
            return !inner.hasObservers && tap.isLetGo
        }

        init(isReentrant: Bool = false, isSwitched: Bool = false) {
            subscriptions = [inner.subscribe(), inner.subscribe()]
            let streams = [inner.map { $0 + 1 }, tap.observable.map { _ in 0 }, inner.startWith(isReentrant ? 1 : 0)]
            subscription = outer.flatMapLatest { streams[$0 % 3] }
                .subscribe(
                    onNext: { [outer, received] number in
                        received.add()
                        if isReentrant, number == 1 { for next in 3...4 { outer.onNext(next) } }
                    },
                    onCompleted: { [isCompleted] in isCompleted.add() })
            if isSwitched { outer.onNext(0) }
        }
    }
}
