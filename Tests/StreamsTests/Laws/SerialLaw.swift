import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 2, serial", .countsResources)
struct SerialLaw {
    private static let count = 300

    @Test(arguments: operatorTable) func `Events of two threads are serialized, none lost and each thread's in order`(row: OperatorRow) {
        let (source, other, user) = (PublishSubject<Probed>(), PublishSubject<Probed>(), UserCode())
        let recorder = LawObserver(user)
        let scheduler = VirtualTimeScheduler()
        let upstreams = Upstreams(source: source.asObservable(), other: other.asObservable(), user: user, scheduler: scheduler)
        let subscription = row.apply(upstreams).subscribe(recorder.on)
        scheduler.advance(by: .seconds(2))
        together {
            for value in 0..<Self.count {
                source.onNext(user.element(value))
                other.onNext(user.element(value))
            }
        } _: {
            for value in 0..<Self.count {
                other.onNext(user.element(10_000 + value))
                source.onNext(user.element(10_000 + value))
                if value % 8 == 0 { scheduler.advance(by: .milliseconds(500)) }
            }
        }
        together {
            source.onCompleted()
        } _: {
            other.onCompleted()
        }
        scheduler.advance(by: .seconds(10))
        subscription.dispose()
        recorder.expectGrammar()
        #expect(recorder.overlapping == 0)
        #expect(user.violations == [])
        guard row.traits.contains(.lossless) else { return }
        let values = recorder.values
        #expect(values.filter { $0 < 10_000 } == Array(0..<Self.count))
        #expect(values.filter { $0 >= 10_000 } == Array(10_000..<10_000 + Self.count))
    }

    @Test(arguments: operatorTable) func `Re-entrant events neither nest nor overtake`(row: OperatorRow) {
        let (source, other, user) = (PublishSubject<Probed>(), PublishSubject<Probed>(), UserCode())
        let recorder = LawObserver(user)
        let scheduler = VirtualTimeScheduler()
        let upstreams = Upstreams(source: source.asObservable(), other: other.asObservable(), user: user, scheduler: scheduler)
        let subscription = row.apply(upstreams).subscribe(recorder.on)
        scheduler.advance(by: .seconds(2))
        let sent = Lock(1)
        recorder.react { event in
            let next = sent.withLock { sent -> Int? in
                guard !event.isStopEvent, sent < 60 else { return nil }
                sent += 2
                return sent - 1
            }
            guard let next else { return }
            source.onNext(user.element(next))
            other.onNext(user.element(next))
            source.onNext(user.element(next + 1))
        }
        other.onNext(user.element(0))
        source.onNext(user.element(0))
        source.onNext(user.element(1))
        scheduler.advance(by: .seconds(20))
        source.onCompleted()
        other.onCompleted()
        scheduler.advance(by: .seconds(20))
        subscription.dispose()
        recorder.expectGrammar()
        #expect(recorder.overlapping == 0)
        #expect(user.violations == [])
        guard row.traits.contains(.lossless) else { return }
        #expect(recorder.values.sorted() == Array(0...61))
        // The first element comes first; the second starting element is sent when the first has been answered.
        let answers = recorder.values.filter { $0 > 1 }
        #expect(answers == answers.sorted(), "\(recorder.values)")
    }

    @Test(arguments: operatorTable) func `Events emitted inside an operator's closure follow the current element`(row: OperatorRow) {
        let run = Run(row)
        let sent = Tally()
        run.user.onCall { [unowned run] _ in
            let next = sent.add()
            // The tap emits synchronously: only the operator's own serializers keep this apart from the delivery at hand.
            if next < 10 { run.other.send(.next(run.user.element(200 + next))) }
        }
        run.subscribe()
        run.feed()
        run.complete()
        run.dispose()
        run.expectLaws()
    }
}
