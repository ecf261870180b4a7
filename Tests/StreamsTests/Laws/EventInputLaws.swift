import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Event inputs keep the laws", .countsResources)
struct EventInputLaws {
    private static let rounds = 1_000

    @Test(arguments: EventInput.all)
    func `Events of two threads are serialized, none lost and each thread's in order`(subject: EventInput) {
        let count = 5_000
        let user = UserCode()
        let recorder = LawObserver(user)
        let (input, output) = subject.make()
        let subscription = output.skip(subject.holds ? 1 : 0).subscribe(recorder.on)
        if subject.name.hasPrefix("Replay") { input.onNext(user.element(-1)) }
        together {
            for value in 0..<count { input.onNext(user.element(value)) }
        } _: {
            for value in count..<2 * count { input.onNext(user.element(value)) }
        }
        subscription.dispose()
        let values = recorder.values
        #expect(values.filter { $0 < count } == Array(0..<count))
        #expect(values.filter { $0 >= count } == Array(count..<2 * count))
        #expect(recorder.overlapping == 0)
        #expect(user.violations == [])
    }

    @Test(arguments: EventInput.all) func `A re-entrant event is delivered to all before the next one`(subject: EventInput) {
        let user = UserCode()
        let (first, second) = (LawObserver(user), LawObserver(user))
        let (input, output) = subject.make()
        first.react { event in
            guard let value = event.element, (1..<5).contains(value) else { return }
            input.onNext(user.element(value + 1))
        }
        let subscriptions = [output.subscribe(first.on)] + (subject.name == "create" ? [] : [output.subscribe(second.on)])
        input.onNext(user.element(1))
        #expect(first.values.filter { $0 > 0 } == [1, 2, 3, 4, 5])
        if subject.name != "create" { #expect(second.values == first.values) }
        #expect(first.overlapping == 0)
        #expect(user.violations == [])
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test(arguments: EventInput.all.filter(\.ends)) func `After the terminal event further events are ignored`(subject: EventInput) {
        let user = UserCode()
        let recorder = LawObserver(user)
        let (input, output) = subject.make()
        let subscription = output.subscribe(recorder.on)
        input.onNext(user.element(1))
        input.onCompleted()
        input.onNext(user.element(2))
        input.onError(TestError.failed)
        input.onCompleted()
        #expect(recorder.values.filter { $0 > 0 } == [1])
        #expect(recorder.stopEvents == [.completed])
        subscription.dispose()
    }

    @Test(arguments: EventInput.all)
    func `An observer that disposes another one during a delivery prevents that event for it and its operators`(subject: EventInput) {
        guard subject.name != "create" else { return }
        let user = UserCode()
        let (first, second) = (LawObserver(user), LawObserver(user))
        let (input, output) = subject.make()
        let holder = SerialDisposable()
        let subscription = output.subscribe(first.on)
        holder.disposable = output.map { try user($0) }.subscribe(second.on)
        let before = (second.events.count, user.calls)
        first.react { _ in holder.dispose() }
        input.onNext(user.element(1))
        #expect(second.events.count == before.0)
        #expect(user.calls == before.1)
        subscription.dispose()
    }

    @Test(arguments: EventInput.all) func `Dispose against next`(subject: EventInput) {
        race(
            rounds: Self.rounds,
            { Round(subject) },
            { round in
                for value in 1...3 { round.input.onNext(round.user.element(value)) }
            },
            against: { round in
                round.subscription.dispose()
                round.recorder.noteDisposal()
            }
        ) { round in
            #expect(round.recorder.late <= 1)
            round.expectLaws(disposals: 1)
        }
    }

    @Test(arguments: EventInput.all.filter(\.ends)) func `Terminal against terminal`(subject: EventInput) {
        race(
            rounds: Self.rounds,
            { Round(subject) },
            { round in
                round.input.onNext(round.user.element(1))
                round.input.onCompleted()
            },
            against: { round in
                round.input.onNext(round.user.element(2))
                round.input.onError(TestError.failed)
            }
        ) { round in
            #expect(round.recorder.stopEvents.count == 1)
            round.expectLaws(disposals: 1)
        }
    }

    @Test(arguments: EventInput.all.filter(\.ends)) func `Dispose against terminal`(subject: EventInput) {
        race(
            rounds: Self.rounds, { Round(subject) }, { $0.input.onCompleted() }, against: { $0.subscription.dispose() }
        ) { round in
            #expect(round.recorder.stopEvents.count <= 1)
            round.expectLaws(disposals: 1)
        }
    }

    @Test(arguments: EventInput.all.filter(\.ends)) func `Subscribe against terminal`(subject: EventInput) {
        guard subject.name != "create" else { return }
        race(
            rounds: Self.rounds,
            { Round(subject, subscribes: false) },
            { $0.subscribe() },
            against: { round in
                round.input.onNext(round.user.element(1))
                round.input.onCompleted()
            }
        ) { round in
            let isWaiting = subject.restarts && round.recorder.stopEvents.isEmpty
            #expect(isWaiting || round.recorder.stopEvents == [.completed])
            if isWaiting { round.subscription.dispose() }
            round.expectLaws(disposals: 1)
        }
    }

    @Test(arguments: EventInput.all) func `Subscribe against next`(subject: EventInput) {
        guard subject.name != "create" else { return }
        race(
            rounds: Self.rounds,
            { Round(subject, subscribes: false) },
            { $0.subscribe() },
            against: { round in
                for value in 0..<4 { round.input.onNext(round.user.element(value)) }
            }
        ) { round in
            // From where it came in it sees everything; what holds the latest gives it that first.
            let values = round.recorder.values
            #expect(values == Array((4 - values.count..<4)) || values == Array(-1..<4), "\(values)")
            #expect(!subject.holds || subject.name.hasPrefix("Replay") || !values.isEmpty)
            round.subscription.dispose()
            round.expectLaws(disposals: 1)
        }
    }

    private final class Round: Sendable {
        let user = UserCode()
        let recorder: LawObserver
        let input: AnyObserver<Probed>
        let subscription = SingleAssignmentDisposable()
        private let output: Observable<Probed>
        private let disposals = Lock(0)

        init(_ subject: EventInput, subscribes: Bool = true) {
            recorder = LawObserver(user)
            (input, output) = subject.make()
            if subscribes { subscribe() }
        }

        func subscribe() {
            subscription.setDisposable(
                output.subscribe(
                    onNext: { [recorder] in recorder.on(.next($0)) }, onError: { [recorder] in recorder.on(.error($0)) },
                    onCompleted: { [recorder] in recorder.on(.completed) },
                    onDisposed: { [self] in disposals.withLock { $0 += 1 } }))
        }

        func expectLaws(disposals expected: Int) {
            recorder.expectGrammar()
            #expect(recorder.overlapping == 0)
            #expect(user.violations == [])
            #expect(disposals.withLock { $0 } == expected)
        }
    }
}
