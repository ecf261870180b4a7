import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 10, bounded", .countsResources)
struct BoundedLaw {
    @Test(.onOneThread, arguments: operatorTable)
    func `Suspended at every element, an operator emits one at a time, and everything that it emits otherwise`(row: OperatorRow) {
        let free = SuspendedRun(row)
        free.subscribe(suspendsAtElements: false)
        free.pass(.seconds(1_000))
        free.dispose()
        let suspended = SuspendedRun(row)
        suspended.subscribe(suspendsAtElements: true)
        suspended.resumeUntilTerminated()
        if row.flow != .hot { #expect(suspended.mostElements <= 1) }
        if !row.traits.contains(.dependsOnTime) { #expect(suspended.events == free.events) }
    }

    @Test(.onOneThread, arguments: operatorTable.filter { $0.flow != .hot && !$0.traits.contains(.ignoresSource) })
    func `A source is asked for no more elements than the operator has room for`(row: OperatorRow) {
        let run = SuspendedRun(row, sourceCount: 10_000)
        run.close()
        run.subscribe(suspendsAtElements: false)
        run.pass(.seconds(10))
        if case .keeps(let bound) = row.flow { #expect(run.pulled == bound) } else { #expect(run.pulled == 0) }
        #expect(run.events.compactMap(\.element) == [])
        run.dispose()
    }

    @Test(
        .onOneThread,
        arguments: operatorTable.filter { $0.traits.isDisjoint(with: [.handlesErrors, .delaysErrors, .resubscribes, .ignoresSource]) })
    func `An error passes while downstream is suspended`(row: OperatorRow) {
        // There the error is an element, which waits.
        guard row.name != "dematerialize(), after materialize()" else { return }
        let isSubscribed = Tally()
        let source = Observable<Probed>.deferred {
            isSubscribed.add()
            return .error(ProbeError())
        }
        let run = SuspendedRun(row, source: source)
        run.close()
        run.subscribe(suspendsAtElements: false)
        run.pass(.seconds(10))
        // An operator that emits elements before it subscribes to the source, or follows another one, waits with that.
        #expect(run.events.last?.isStopEvent == true || isSubscribed.value == 0)
        run.dispose()
    }

    @Test(.onOneThread, arguments: operatorTable) func `Disposed while it is suspended, it releases everything`(row: OperatorRow) {
        let run = SuspendedRun(row)
        run.subscribe(suspendsAtElements: true)
        run.dispose()
        run.open()
        let count = run.events.count
        run.pass(.seconds(10))
        #expect(run.events.count == count)
    }

    @Test(arguments: operatorTable.filter { $0.traits.contains(.lossless) && !$0.traits.contains(.dependsOnTime) })
    func `Suspended and resumed on another thread, nothing is lost, doubled or stuck`(row: OperatorRow) {
        let count = 2_000
        let run = SuspendedRun(row, sourceCount: count)
        together {
            run.subscribe(suspendsAtElements: false)
        } _: {
            for _ in 0..<500 {
                run.close()
                run.open()
            }
        }
        run.pass(.seconds(10_000))
        #expect(run.events.compactMap(\.element).filter { $0 < 1_000_000 } == Array(1...count))
        #expect(run.events.last?.isStopEvent == true || row.traits.contains(.endless))
        run.dispose()
    }

    @Test func `Twenty thousand suspensions race with as many resumptions`() {
        let gate = Gate()
        let count = 300_000
        let state = Lock((next: 0, isInOrder: true, isCompleted: false))
        together {
            Observable.range(start: 0, count: count).subscribe(in: gate) { event in
                state.withLock { state in
                    guard let element = event.element else { return state.isCompleted = true }
                    state.isInOrder = state.isInOrder && element == state.next
                    state.next += 1
                }
            }
        } _: {
            for _ in 0..<20_000 {
                gate.suspend()
                gate.resume().perform()
            }
        }
        let end = state.withLock { $0 }
        #expect(end.next == count && end.isInOrder && end.isCompleted)
    }

    @Test(.onOneThread) func `Twenty thousand lifetimes, each inside another, are suspended and resumed`() {
        onThread {
            let gate = Gate()
            var innermost: Lifetime = gate
            for _ in 0..<20_000 { innermost = innermost.child() }
            gate.suspend()
            #expect(!innermost.mayEmit)
            gate.resume().perform()
            #expect(innermost.mayEmit)
            gate.dispose()
            #expect(innermost.isDisposed)
        }
    }

    @Test func `A gate upstream may be disposed while the gate downstream opens and closes`() {
        let gate = Gate()
        let isDone = Lock(false)
        together {
            for _ in 0..<5_000 { gate.boundary().dispose() }
            isDone.withLock { $0 = true }
        } _: {
            while !isDone.withLock({ $0 }) {
                gate.suspend()
                gate.resume().perform()
            }
        }
        #expect(gate.isEmpty)
    }

    @Test func `No source of a merge starves`() {
        let gate = Gate()
        let received = Lock([0, 0, 0])
        let sources = (0..<3).map { index in Observable.range(start: 0, count: .max).map { _ in index } }
        Observable.merge(sources).subscribe(in: gate) { event in
            if let index = event.element { received.withLock { $0[index] += 1 } }
            gate.suspend()
        }
        for _ in 0..<300 { gate.resume().perform() }
        #expect(received.withLock { $0.allSatisfy { $0 > 90 } })
        gate.dispose()
    }
}

/// One operator of the table over sources that can be suspended, under virtual time.
private final class SuspendedRun: Sendable {
    private struct State {
        var events: [Event<Int>] = []
        var elementsSinceOpening = 0
        var mostElements = 0
    }

    private let scheduler = VirtualTimeScheduler()
    private let gate = Gate()
    private let state = Lock(State())
    private let tally = Tally()
    private let row: OperatorRow
    private let source: Observable<Probed>

    init(_ row: OperatorRow, sourceCount: Int = 300) {
        self.row = row
        let tally = tally
        source = Observable<Int>.range(start: 1, count: sourceCount).map { index in
            _ = tally.add()
            return Probed(index)
        }
    }

    init(_ row: OperatorRow, source: Observable<Probed>) {
        (self.row, self.source) = (row, source)
    }

    var events: [Event<Int>] { state.withLock { $0.events } }
    /// How many elements the source has emitted.
    var pulled: Int { tally.value }
    /// The most elements that arrived without a resumption between them.
    var mostElements: Int { state.withLock { $0.mostElements } }

    func subscribe(suspendsAtElements: Bool) {
        let other = Observable.range(start: 1_000_000, count: 3).map { Probed($0) }
        let upstreams = Upstreams(source: source, other: other, user: UserCode(), scheduler: scheduler)
        row.apply(upstreams).subscribe(in: gate) { [self] event in
            state.withLock { state in
                state.events.append(event.map(\.value))
                guard !event.isStopEvent else { return }
                state.elementsSinceOpening += 1
                state.mostElements = max(state.mostElements, state.elementsSinceOpening)
            }
            if suspendsAtElements { gate.suspend() }
        }
        pass(.seconds(2))
    }

    func resumeUntilTerminated() {
        for _ in 0..<1_000 where !gate.isDisposed {
            state.withLock { $0.elementsSinceOpening = 0 }
            open()
            pass(.seconds(2))
        }
        dispose()
    }

    func close() { gate.suspend() }
    func open() { gate.resume().perform() }
    func dispose() { gate.dispose() }
    func pass(_ time: Duration) { scheduler.advance(by: time) }
}
