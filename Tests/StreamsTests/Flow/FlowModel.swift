import OperatorCatalogue
import StreamsTesting

/// A pipeline of operators that a seed chooses, with a source of tasks and a consumer that takes its time.
///
/// It is run twice: freely, under virtual time, and with tasks that wait, are cancelled, suspend, resume and dispose whenever the seed and the
/// executor please. What is delivered is the same, or the beginning of it if the consumer leaves.
struct FlowModel: Sendable {
    private enum Source: CaseIterable { case sending, sequence, scheduled }
    private enum Consumer: CaseIterable { case suspending, iterating }

    private static let count = 60
    /// By when elements arrive, or in which order those of several streams do, these rightly emit others.
    private static let dependOnArrival = [
        "amb(", "audit(", "buffer(timeSpan", "combineLatest(", "debounce(", "expand(", "skip(for", "takeLast(for",
    ]
    /// Operators whose result does not depend on when an element arrives, and that end with their source.
    private static let rows = operatorTable.filter { row in
        row.traits.isDisjoint(with: [.dependsOnTime, .endless, .ignoresSource, .staysConnected])
            && !dependOnArrival.contains(where: row.name.hasPrefix)
    }

    let seed: UInt64
    private let rows: [OperatorRow]
    private let source: Source
    private let consumer: Consumer
    private let capacity: Int
    /// The consumer leaves with this element.
    private let last: Int?

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        rows = (0..<Int.random(in: 1...3, using: &generator)).compactMap { _ in Self.rows.randomElement(using: &generator) }
        source = Source.allCases.randomElement(using: &generator) ?? .sending
        consumer = Consumer.allCases.randomElement(using: &generator) ?? .suspending
        capacity = [1, 2, 8, 256].randomElement(using: &generator) ?? 1
        last = Bool.random(using: &generator) ? Int.random(in: 0..<Self.count, using: &generator) : nil
    }

    var title: String {
        "seed \(seed): \(source), \(rows.map(\.name).joined(separator: " | ")), \(consumer), capacity \(capacity), leaves \(last ?? -1)"
    }

    /// Runs it both ways. Returns the number of elements and, if the two differ, how.
    func check() async -> (elements: Int, difference: String?) {
        guard let expected = freely() else { return (0, nil) }
        let received = await slowly()
        guard let received else { return (0, "\(title) is stuck") }
        let isSame = last == nil ? received == expected : expected.starts(with: received)
        return (received.count, isSame ? nil : "\(title)\nexpected \(expected)\nreceived \(received)")
    }

    /// Returns `nil` for a pipeline that does not end, such as a retry of `last()` without elements.
    private func freely() -> [String]? {
        let scheduler = VirtualTimeScheduler()
        let events = Lock<[String]>([])
        let start = PublishSubject<Void>()
        let (hasBegun, attempts, ended) = (Tally(), Tally(), Tally())
        let subscription = SingleAssignmentDisposable()
        // A retry may subscribe for ever, also within the call of `subscribe`, and behind a `take(until:)` only to the other stream.
        @Sendable func counted(_ stream: Observable<Probed>) -> Observable<Probed> {
            .deferred {
                attempts.add()
                guard attempts.value > Self.count * 10 else { return stream }
                subscription.dispose()
                return .never()
            }
        }
        let numbers = counted(Observable<Int>.range(start: 0, count: Self.count).map { Probed($0) })
        let source = Observable<Probed>.deferred { hasBegun.value > 0 ? numbers : start.take(1).flatMap { _ in numbers } }
        subscription.setDisposable(
            pipeline(on: source, counted(Self.other), scheduler).subscribe { event in
                events.withLock { $0.append("\(event)") }
                if event.isStopEvent { ended.add() }
            })
        scheduler.advance(by: .seconds(2))
        hasBegun.add()
        start.onNext(())
        scheduler.advance(by: .seconds(100))
        subscription.dispose()
        return ended.value > 0 ? events.withLock { $0 } : nil
    }

    private static let other = Observable<Int>.range(start: 1_000_000, count: 3).map { Probed($0) }

    private func pipeline(on source: Observable<Probed>, _ other: Observable<Probed>, _ scheduler: any Scheduler) -> Observable<Probed> {
        rows.reduce(source) { stream, row in
            row.apply(Upstreams(source: stream, other: other, user: UserCode(), scheduler: scheduler))
        }
    }

    /// Returns `nil` if it does not end.
    private func slowly() async -> [String]? {
        let scheduler = VirtualTimeScheduler()
        let hasBegun = Tally()
        let stream = pipeline(on: tasks(after: hasBegun), Self.other, scheduler)
        let events = Lock<(texts: [String], isOver: Bool)>(([], false))
        let suspension = Suspension()
        let subscription = SingleAssignmentDisposable()
        @Sendable func receive(_ event: Event<Probed>) -> Bool {
            events.withLock { events in
                events.texts.append("\(event)")
                if event.isStopEvent || events.texts.count - 1 == last { events.isOver = true }
                return events.isOver
            }
        }
        switch consumer {
        case .suspending:
            subscription.setDisposable(
                stream.suspended(by: suspension, overflow: .suspend(capacity: capacity)).subscribe { event in
                    if receive(event) { return subscription.dispose() }
                    if let number = event.element?.value, (number ^ Int(seed)) % 3 != 0 { suspension.suspend() }
                })
        case .iterating:
            let task = Task {
                do {
                    for try await element in stream.values(overflow: .suspend(capacity: capacity)) {
                        if receive(.next(element)) { return }
                        if (element.value ^ Int(seed)) % 3 == 0 { await Task.yield() }
                    }
                    _ = receive(.completed)
                } catch { _ = receive(.error(error)) }
            }
            subscription.setDisposable(Disposables.create { task.cancel() })
        }
        scheduler.advance(by: .seconds(2))
        hasBegun.add()
        var generator = SeededGenerator(seed: seed)
        // A stuck one has had many turns, and much time too: a thread of the pool may be preempted for as long as some turns take.
        var (turns, count, limit) = (0, 0, ContinuousClock.now + .seconds(20))
        while !events.withLock({ $0.isOver }) {
            let reached = events.withLock { $0.texts.count }
            turns += 1
            if reached > count { (turns, count, limit) = (0, reached, ContinuousClock.now + .seconds(20)) }
            guard turns < 100_000 || ContinuousClock.now < limit else {
                subscription.dispose()
                return nil
            }
            if Bool.random(using: &generator) { suspension.suspend() }
            await Task.yield()
            suspension.resume()
            scheduler.advance(by: .milliseconds(10))
        }
        subscription.dispose()
        return events.withLock { $0.texts }
    }

    /// The source. What its cancelled tasks send, or do not, is removed at once.
    private func tasks(after hasBegun: Tally) -> Observable<Probed> {
        let begin: @Sendable () async -> Void = { while hasBegun.value == 0 { await Task.yield() } }
        let numbers: Observable<Int> =
            switch source {
            case .sending:
                .create { [seed] send in
                    await begin()
                    for number in 0..<Self.count {
                        try await send(number)
                        guard (number ^ Int(seed)) % 8 == 0 else { continue }
                        let waiting = (0..<3).map { _ in Task { try await send(-1) } }
                        if number.isMultiple(of: 16) { await Task.yield() }
                        for task in waiting { task.cancel() }
                        for task in waiting { _ = await task.result }
                    }
                }
            case .sequence: .from(Numbers(count: Self.count, begin: begin))
            case .scheduled:
                Observable<Void>.fromAsync { await begin() }
                    .flatMap { _ in Observable.range(start: 0, count: Self.count) }
                    .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))
            }
        return numbers.filter { $0 >= 0 }.map { Probed($0) }
    }
}

/// Numbers of an iterator that takes a while for some of them.
private struct Numbers: AsyncSequence, Sendable {
    let count: Int
    let begin: @Sendable () async -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        let count: Int
        let begin: @Sendable () async -> Void
        var number = 0

        mutating func next() async -> Int? {
            if number == 0 { await begin() }
            guard number < count else { return nil }
            defer { number += 1 }
            if number.isMultiple(of: 5) { await Task.yield() }
            return number
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(count: count, begin: begin)
    }
}
