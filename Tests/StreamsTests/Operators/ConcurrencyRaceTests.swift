import Foundation
import Streams
import StreamsTesting
import Testing

#if THREAD_SANITIZER
    private let rounds = 200
#else
    private let rounds = 2_000
#endif

@Suite(.countsResources) struct `Races of tasks and streams` {
    @Test func `a loop that is cancelled while elements are emitted ends and disposes once`() async throws {
        for _ in 0..<rounds {
            let (subject, disposals) = (PublishSubject<Int>(), Tally())
            let loop = Task {
                var taken: [Int] = []
                for try await number in subject.do(onDispose: { disposals.add() }).values { taken.append(number) }
                return taken
            }
            async let emitted: Void = emit(10, into: subject)
            await Task.yield()
            loop.cancel()
            let taken = try await loop.value
            await emitted
            #expect(taken == Array(taken.sorted().prefix(10)))
            #expect(disposals.value == 1)
        }
    }

    @Test func `an awaited element that is cancelled while it is emitted returns or throws, and disposes once`() async {
        for _ in 0..<rounds {
            let (subject, disposals) = (PublishSubject<Int>(), Tally())
            let awaiting = Task { try await subject.do(onDispose: { disposals.add() }).firstElement() }
            async let emitted: Void = emit(3, into: subject)
            await Task.yield()
            awaiting.cancel()
            switch await awaiting.result {
            case .success(let number): #expect((0..<3).contains(number))
            case .failure(let error): #expect(error is CancellationError)
            }
            await emitted
            #expect(disposals.value <= 1)
        }
    }

    @Test func `an actor's subscription that is disposed while elements are emitted finishes at most one closure`() async {
        for _ in 0..<rounds {
            let (ledger, subject, isDisposed, late) = (Ledger(), PublishSubject<Int>(), Tally(), Tally())
            let subscription = subject.subscribe(isolatedTo: ledger) { ledger, number in
                if isDisposed.value > 0 { late.add() }
                ledger.add(number)
            }
            async let emitted: Void = emit(10, into: subject)
            await Task.yield()
            subscription.dispose()
            isDisposed.add()
            await emitted
            let numbers = await ledger.numbers
            #expect(numbers == numbers.sorted())
            #expect(late.value <= 1)
        }
    }

    @Test func `a task that is disposed while it returns delivers nothing afterwards`() async {
        for _ in 0..<rounds {
            let (isDisposed, late) = (Tally(), Tally())
            let subscription = Observable.fromTaskGroup { group in
                for number in 1...3 { group.addTask { number } }
            }.subscribe(onNext: { _ in if isDisposed.value > 0 { late.add() } })
            await Task.yield()
            subscription.dispose()
            isDisposed.add()
            #expect(late.value <= 1)
        }
    }

    private func emit(_ count: Int, into subject: PublishSubject<Int>) async {
        for number in 0..<count {
            subject.onNext(number)
            if number.isMultiple(of: 3) { await Task.yield() }
        }
    }
}
