import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

/// 10,000 contexts that are fed, cancelled and listened to from several threads.
@Suite("Contexts and several threads", .countsResources) struct ContextStressTests {
    static let contexts = rounds(10_000)
    static let emissions = 8

    /// The events that one listener received.
    private final class Ear: Sendable {
        private struct State {
            var models: [Int] = []
            var cancels = 0
            var afterCancel = 0
        }

        private let state = Lock(State())

        func receive(_ model: Int) {
            state.withLock { state in
                state.models.append(model)
                if state.cancels > 0 { state.afterCancel += 1 }
            }
        }

        func hearCancel() {
            state.withLock { $0.cancels += 1 }
        }

        /// Whether it received models one after the other from where it began, each once, and the cancel once and last.
        func isSound(cancelled: Bool, complete last: Int?) -> Bool {
            state.withLock { state in
                let first = state.models.first ?? 0
                guard state.models == Array(first..<first + state.models.count) else { return false }
                guard state.cancels == (cancelled ? 1 : 0), state.afterCancel == 0 else { return false }
                return last == nil || state.models.last == last
            }
        }

        func listen(to context: Observer<Int>) {
            context.onCompleted { self.receive($0) }
            context.onCancelled { self.hearCancel() }
        }
    }

    private func run(_ tasks: [@Sendable () -> Void]) {
        DispatchQueue.concurrentPerform(iterations: tasks.count) { tasks[$0]() }
    }

    @Test func `Each outcome is delivered exactly once to each listener`() {
        expectNothingLeft(within: .seconds(300)) {
            let unsound = Atomic<Int>(0)
            for index in 0..<Self.contexts {
                let isCancelled = index % 3 == 0
                let context = MulticastContext<Int>()
                let derived = context.map { $0 }
                let ears = (0..<4).map { _ in Ear() }
                ears[0].listen(to: context)
                ears[1].listen(to: derived)
                let feed: @Sendable () -> Void = { for model in 0..<Self.emissions { context.emit(data: model) } }
                let listen: @Sendable () -> Void = {
                    ears[2].listen(to: context)
                    ears[3].listen(to: context.map { $0 })
                }
                let cancel: @Sendable () -> Void = { if isCancelled { context.cancel() } }
                run([feed, listen, cancel])
                for ear in ears where !ear.isSound(cancelled: isCancelled, complete: isCancelled ? nil : Self.emissions - 1) {
                    unsound.add(1, ordering: .relaxed)
                }
            }
            #expect(unsound.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `Operations that are cancelled from several threads are disposed once and tell it once`() {
        expectNothingLeft(within: .seconds(300)) {
            let wrong = Atomic<Int>(0)
            for _ in 0..<Self.contexts / 4 {
                let (first, second) = (Operation<Int>(), Operation<Int>())
                let cancels = Atomic<Int>(0)
                let outcomes = Atomic<Int>(0)
                let context = first.start().map { _ in second.start() }.combine(.emit(data: 0)).map { $0.0 }
                context.onCancelled { cancels.add(1, ordering: .relaxed) }
                context.onCompleted { _ in outcomes.add(1, ordering: .relaxed) }
                run([
                    { context.cancel() },
                    {
                        first.succeed(1)
                        second.succeed(2)
                    },
                    { context.cancel() },
                ])
                let told = (cancels.load(ordering: .relaxed), outcomes.load(ordering: .relaxed))
                first.releaseUpstream()
                second.releaseUpstream()
                if told.0 > 1 || told.1 > 1 || told.0 + told.1 == 0 || first.disposals > 1 || second.disposals > 1 {
                    wrong.add(1, ordering: .relaxed)
                }
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `Contexts on a queue deliver everything once and in order`() {
        let queue = DispatchQueue(label: "test", qos: .userInitiated, attributes: .concurrent)
        let ears = (0..<500).map { _ in Ear() }
        let done = DispatchGroup()
        for ear in ears {
            done.enter()
            let context = Context<Int>()
            let async = context.dispatchOn(queue)
            ear.listen(to: async)
            async.defer { if ear.isSound(cancelled: false, complete: Self.emissions - 1) { done.leave() } }
            DispatchQueue.global(qos: .userInitiated).async { for model in 0..<Self.emissions { context.emit(data: model) } }
        }
        #expect(done.wait(timeout: .now() + 600) == .success)
        #expect(ears.allSatisfy { $0.isSound(cancelled: false, complete: Self.emissions - 1) })
    }

    @Test func `What is emitted on another thread while an outcome passes through comes after it`() {
        let source = Context<Int>()
        let last = (0..<100).reduce(source as Observer<Int>) { context, _ in context.mapData { $0 } }
        let received = Lock<[Int]>([])
        last.onCompleted { number in received.withLock { $0.append(number) } }
        together(
            { for number in 0..<1_000 { source.emit(data: number) } },
            { for number in 1_000..<2_000 { source.emit(data: number) } })
        let all = received.withLock { $0 }
        #expect(all.count == 2_000)
        #expect(all.filter { $0 < 1_000 } == Array(0..<1_000))
        #expect(all.filter { $0 >= 1_000 } == Array(1_000..<2_000))
    }
}
