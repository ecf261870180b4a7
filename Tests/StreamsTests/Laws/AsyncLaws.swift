import Dispatch
import OperatorCatalogue
import StreamsTesting
import Testing

/// The laws over the operators that run tasks: they cannot stand in the table of the others, for no virtual time drives a task.
@Suite("The laws of asynchronous operators", .countsResources)
struct AsyncLaws {
    /// One operator, or one use of it. Each sends every element of its source on.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (Observable<Probed>, UserCode) -> Observable<Probed>

        init(_ name: String, _ apply: @escaping @Sendable (Observable<Probed>, UserCode) -> Observable<Probed>) {
            testDescription = name
            self.apply = apply
        }
    }

    static let rows = [
        Row("mapAsync") { source, user in source.mapAsync { try await user.later($0) } },
        Row("flatMapAsync") { source, user in source.flatMapAsync { try await user.later($0) } },
        Row("flatMapAsync, two at a time") { source, user in source.flatMapAsync(maxConcurrent: 2) { try await user.later($0) } },
        Row("fromAsync") { source, user in source.concatMap { element in Observable.fromAsync { try await user.later(element) } } },
        Row("create") { source, user in
            source.concatMap { element in Observable.create { send in try await send(try await user.later(element)) } }
        },
        Row("fromTaskGroup") { source, user in
            source.concatMap { element in Observable.fromTaskGroup { group in group.addTask { try await user.later(element) } } }
        },
        Row("a task") { source, user in source.concatMap { element in Task { try await user.later(element) }.asObservable() } },
        Row("from an asynchronous sequence") { source, user in .deferred { .from(source.map { try user($0) }.values) } },
    ]

    private let elements: [Event<Probed>] = (1...5).map { .next(Probed($0)) }

    @Test(arguments: rows) func `Every element is delivered once, one at a time, and then the completion`(row: Row) async {
        let (user, tap) = (UserCode(), Tap(script: elements + [.completed]))
        let recorder = LawObserver(user)
        await run(row.apply(tap.observable, user), recorder)
        #expect(recorder.values.sorted() == [1, 2, 3, 4, 5])
        #expect(recorder.stopEvents == [.completed])
        await expectLaws(recorder, user, tap)
    }

    @Test(arguments: rows) func `The stream fails with a closure's error, unwrapped`(row: Row) async {
        let (user, tap, error) = (UserCode(), Tap(script: elements), ProbeError())
        let (recorder, received) = (LawObserver(user), Received())
        user.fail(in: 0, with: error)
        await run(row.apply(tap.observable, user).do(onError: received.keep), recorder)
        #expect(received.error === error)
        #expect(recorder.values == [])
        await expectLaws(recorder, user, tap)
    }

    @Test(arguments: rows) func `An error of upstream is forwarded unwrapped`(row: Row) async {
        let error = ProbeError()
        let (user, tap) = (UserCode(), Tap(script: [.next(Probed(1)), .error(error)]))
        let (recorder, received) = (LawObserver(user), Received())
        await run(row.apply(tap.observable, user).do(onError: received.keep), recorder)
        #expect(received.error === error)
        await expectLaws(recorder, user, tap)
    }

    @Test(arguments: rows)
    func `Disposed during an element's delivery, it receives nothing more and disposes upstream once`(row: Row) async {
        let (user, tap, holder) = (UserCode(), Tap(script: elements), SingleAssignmentDisposable())
        let recorder = LawObserver(user)
        let isDisposed = AsyncStream<Void>.makeStream()
        let isSubscribed = DispatchSemaphore(value: 0)
        recorder.react { _ in
            // A task may deliver before `subscribe` has returned, when there is nothing yet to dispose.
            isSubscribed.wait()
            isSubscribed.signal()
            holder.dispose()
            recorder.noteDisposal()
            isDisposed.continuation.yield()
        }
        holder.setDisposable(row.apply(tap.observable, user).subscribe(recorder.on))
        isSubscribed.signal()
        for await _ in isDisposed.stream { break }
        for _ in 0..<50 { await Task.yield() }
        #expect(recorder.events.count == 1)
        #expect(recorder.late == 0)
        await expectLaws(recorder, user, tap)
        recorder.react { _ in }
    }

    @Test(arguments: rows) func `Disposed while its tasks run, at most the delivery in progress finishes`(row: Row) async {
        for _ in 0..<200 {
            let (user, tap) = (UserCode(), Tap(script: elements))
            let recorder = LawObserver(user)
            let subscription = row.apply(tap.observable, user).subscribe(recorder.on)
            await Task.yield()
            subscription.dispose()
            recorder.noteDisposal()
            await Task.yield()
            #expect(recorder.late <= 1)
            await expectLaws(recorder, user, tap)
        }
    }

    @Test(arguments: rows) func `Nothing happens before the subscription, and everything happens anew for each`(row: Row) async {
        let (user, tap) = (UserCode(), Tap(script: elements + [.completed]))
        let stream = row.apply(tap.observable, user)
        #expect(tap.subscriptions == 0 && user.calls.isEmpty)
        for round in 1...2 {
            let recorder = LawObserver(user)
            await run(stream, recorder)
            #expect(recorder.values.sorted() == [1, 2, 3, 4, 5])
            #expect(tap.subscriptions == round)
        }
    }

    /// Subscribes, and waits for the end.
    private func run(_ stream: Observable<Probed>, _ recorder: LawObserver) async {
        let isOver = AsyncStream<Void>.makeStream()
        recorder.react { event in
            if event.isStopEvent { isOver.continuation.yield() }
        }
        let subscription = stream.subscribe(recorder.on)
        for await _ in isOver.stream { break }
        subscription.dispose()
    }

    private func expectLaws(_ recorder: LawObserver, _ user: UserCode, _ tap: Tap) async {
        // A cancelled task disposes its source when it runs next, behind all the tests that wait for one of the pool's few threads.
        let limit = ContinuousClock.now + .seconds(600)
        while !tap.isLetGo, ContinuousClock.now < limit { await Task.yield() }
        recorder.expectGrammar()
        #expect(recorder.overlapping == 0, "deliveries overlap")
        #expect(user.violations == [], "happened under a lock")
        #expect(tap.isLetGo, "\(tap.disposals) of \(tap.subscriptions)")
    }

    /// The error that came.
    private final class Received: Sendable {
        private let kept = Lock<ProbeError?>(nil)

        var error: ProbeError? { kept.withLock { $0 } }

        @Sendable func keep(_ error: any Error) {
            kept.withLock { $0 = error as? ProbeError }
        }
    }
}

extension UserCode {
    /// The body of an asynchronous closure: gives `value` back after others had their turn.
    fileprivate func later(_ value: Probed) async throws -> Probed {
        await Task.yield()
        return try self(value)
    }
}
