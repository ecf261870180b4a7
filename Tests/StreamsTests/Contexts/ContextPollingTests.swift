import Streams
import StreamsTesting
import Testing

/// Operations that end with another call of the function they are in: loops, of a constant stack and constant memory.
@Suite("Polling with contexts", .onOneThread, .countsResources) struct ContextPollingTests {
    /// More steps than fit into a stack, if each used some of it.
    private static let many = 10_000

    let output = Output()

    /// Asks until there is an answer, as a user writes it.
    private final class Poller: Sendable {
        let left = Tally()
        let peak = Lock(0)
        let request: @Sendable () -> Observer<Int>

        init(steps: Int, request: @escaping @Sendable () -> Observer<Int>) {
            left.add(steps)
            self.request = request
        }

        func poll() -> Observer<Int> {
            request().then { answer in
                let left = self.left.add(-1)
                if left.isMultiple(of: 100) {
                    let total = Resources.total
                    self.peak.withLock { $0 = max($0, total) }
                }
                return left > 0 ? self.poll() : .emit(data: answer)
            }
        }
    }

    @Test func `Ten thousand steps whose outcomes are there at once do not grow the stack or memory`() {
        let poller = Poller(steps: Self.many) { .emit(data: 7) }
        output.listen(poller.poll())
        #expect(output.lines == ["data 7", "defer"])
        #expect(poller.peak.withLock { $0 } < 1_000)
    }

    @Test func `Five thousand steps of virtual time do not grow the stack or memory`() {
        let scheduler = VirtualTimeScheduler()
        let poller = Poller(steps: Self.many / 2) { Observable<Int>.timer(.seconds(1), scheduler: scheduler).map { _ in 7 }.asContext() }
        output.listen(poller.poll())
        scheduler.run()
        #expect(output.lines == ["data 7", "defer"])
        #expect(poller.peak.withLock { $0 } < 1_000)
    }

    @Test func `A poll without listeners continues, in constant memory`() {
        let scheduler = VirtualTimeScheduler()
        let poller = Poller(steps: Self.many / 20) { Observable<Int>.timer(.seconds(1), scheduler: scheduler).map { _ in 7 }.asContext() }
        _ = poller.poll()
        scheduler.run()
        #expect(poller.left.value == 0)
        #expect(poller.peak.withLock { $0 } < 1_000)
    }

    @Test func `The log of a poll has the messages of its last steps, and does not grow with them`() {
        let count = Tally()
        let poller = Poller(steps: Self.many / 10) {
            let step = count.add()
            return Observable.just(step).asContext().log("step \(step)")
        }
        let poll = poller.poll()
        output.listen(poll)
        #expect(output.lines == ["data \(Self.many / 10)", "defer"])
        let messages = poll.log?.messages ?? []
        #expect(messages.last == "step \(Self.many / 10)")
        #expect(messages.count < 100)
        #expect(poller.peak.withLock { $0 } < 1_000)
    }

    @Test func `What the nodes of a poll's requests note does not grow either`() {
        let count = Tally()
        let poller = Poller(steps: Self.many / 10) {
            Observable.logging { log in
                let step = count.add()
                for part in 0..<3 { log.note(.info, "Request", "step \(step), \(part)") }
                return .just(step)
            }.asContext()
        }
        let poll = poller.poll()
        output.listen(poll)
        let messages = poll.log?.messages ?? []
        #expect(messages.last == "[info] Request: step \(Self.many / 10), 2")
        #expect(messages.count < 300)
        #expect(poller.peak.withLock { $0 } < 1_000)
    }

    @Test func `An error in the middle of a poll is its outcome`() {
        let attempts = Tally()
        @Sendable func request() -> Observer<Int> {
            let attempt = attempts.add()
            return attempt < 5_000 ? .emit(data: attempt) : .emit(error: Failure.some)
        }
        @Sendable func poll() -> Observer<Int> { request().then { poll() } }
        output.listen(poll())
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `Cancelling a poll stops the request that runs`() {
        let scheduler = VirtualTimeScheduler()
        let requests = Tally()
        @Sendable func request() -> Observer<Int> {
            requests.add()
            return Observable<Int>.timer(.seconds(1), scheduler: scheduler).map { _ in 7 }.asContext()
        }
        @Sendable func poll() -> Observer<Int> { request().then { poll() } }
        let context = output.listen(poll())
        scheduler.advance(by: .seconds(100))
        context.cancel()
        scheduler.run()
        #expect(requests.value == 101)
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A context in the middle of a poll receives its outcome too, independent of its owner`() {
        let scheduler = VirtualTimeScheduler()
        let held = Lock<[Observer<Int>]>([])
        let poller = Poller(steps: 1_000) { Observable<Int>.timer(.seconds(1), scheduler: scheduler).map { _ in 7 }.asContext() }
        let first = poller.poll().then { answer in
            let next = poller.request()
            held.withLock { $0.append(next) }
            return next.then { _ in .emit(data: answer + 1) }
        }
        scheduler.run()
        output.listen(first)
        output.listen(held.withLock { $0.removeFirst() }, as: "late ")
        #expect(output.lines == ["data 8", "defer", "late data 7", "late defer"])
    }

    @Test func `Who holds a context that only forwards another one's outcome still gets it`() {
        let (first, second) = (Operation<Int>(), Operation<Int>())
        var inner: Observer<Int>? = first.start().then { _ in second.start() }
        let outer = Observer.emit(data: 0).then { [inner] _ in inner ?? .emit(data: 0) }
        first.succeed(1)
        output.listen(outer, as: "outer ")
        if let inner { output.listen(inner, as: "inner ") }
        inner = nil
        second.succeed(2)
        #expect(output.lines.sorted() == ["inner data 2", "inner defer", "outer data 2", "outer defer"])
    }

    @Test func `An operation that begins to forward another one before it is subscribed to is followed too`() {
        let (first, request, next) = (Operation<Int>(), Operation<Int>(), Operation<Int>())
        // The switch to the second operation disposes the first one, which ends the request of the second.
        let disposing = first.stream.do(onDispose: { request.succeed(1) })
        let source = Context<Int>()
        output.listen(source.then { number in number == 1 ? disposing.asContext() : request.start().then { _ in next.start() } })
        source.emit(data: 1).emit(data: 2)
        next.succeed(7)
        #expect(output.lines == ["data 7", "defer"])
    }
}
