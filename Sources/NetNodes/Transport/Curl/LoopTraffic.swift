import Streams
import Synchronization

/// Decides in which loop of a transport each transfer runs, and which transfers wait because a limit is reached. Thread-safe.
///
/// Limits hold for all loops together: a waiting transfer belongs to no loop, and runs in whichever can take it. Few transfers share the
/// first loop, since a loop that is busy costs less than several that sleep. Streamed ones, which may be long, prefer the last.
final class LoopTraffic: Sendable {
    /// The place of a transfer, among those that run or those that wait.
    struct Place {
        fileprivate enum Stage {
            /// It waits for others to the same origin, or only for those to any origin.
            case behindOrigin(ticket: Int), behindAll(ticket: Int)
            case running(loop: Int)
        }

        let origin: OriginTraffic
        fileprivate let stage: Stage
        /// Whether connections to the origin carry one request at a time, as far as it was known at the start.
        fileprivate(set) var isExclusive: Bool?
        /// The maximum number of connections that its loop may have from now on; 0 means any number.
        fileprivate(set) var connections = 0
        /// Whether the connection is closed afterwards, so that another loop can have one.
        fileprivate(set) var givesUpConnection = false

        /// The loop; `nil` while it waits.
        var loop: Int? { if case .running(let loop) = stage { loop } else { nil } }
    }

    /// The consequences of the release of a place.
    struct Departure {
        /// The transfers that may run now.
        var granted: [CurlTransfer] = []
        /// Whether the transport is shutting down, and no transfer waits any more.
        var endsWaiting = false
    }

    private struct State {
        var loops: [LoopLoad]
        var origins: [Origin: OriginTraffic] = [:]
        /// Waits for the connections to all origins.
        var waiting = TicketQueue<CurlTransfer>()
        /// The number of all transfers that wait.
        var waitingCount = 0
        /// The number of origins at which those without traffic are forgotten.
        var originLimit = 256
        var isShutDown = false

        var endsWaiting: Bool { isShutDown && waitingCount == 0 }
    }

    private final class IdleCount: Sendable {
        let value = Atomic(0)
    }

    private let limits: ConnectionLimits
    private let state: Lock<State>
    /// The idle connections of each loop.
    private let idle: [IdleCount]

    init(_ configuration: CurlTransport.Configuration, loops: Int) {
        limits = ConnectionLimits(configuration)
        state = Lock(State(loops: Array(repeating: LoopLoad(), count: loops)))
        idle = (0..<loops).map { _ in IdleCount() }
    }

    /// Gives a new transfer a loop, or lets it wait.
    ///
    /// - Parameter needsPlace: whether it needs a place now. Otherwise it only gets a loop.
    /// - Returns: whether it has a loop.
    func begin(_ transfer: CurlTransfer, needsPlace: Bool) -> Bool {
        state.withLock { state in
            transfer.isRefused = state.isShutDown
            var loop: Int? = 0
            if needsPlace, !state.isShutDown { loop = enter(transfer, &state) }
            if loop == nil, !transfer.isValid {
                _ = leave(transfer, &state)
                loop = 0
            }
            guard let loop else { return false }
            transfer.move(to: loop)
            return true
        }
    }

    /// Gives a transfer that a loop runs already a place for its next request, in any loop; returns `nil` if it has to wait.
    func reenter(_ transfer: CurlTransfer) -> Int? { state.withLock { enter(transfer, &$0) } }

    /// Releases the place of a transfer.
    func leave(_ transfer: CurlTransfer) -> Departure {
        state.withLock { leave(transfer, &$0) }
    }

    /// Releases the place of a transfer that waits and has no loop yet; returns `nil` if it has one.
    func withdraw(_ transfer: CurlTransfer) -> Departure? {
        state.withLock { state in transfer.hasLoop ? nil : leave(transfer, &state) }
    }

    /// Takes the transfers that have waited too long without a loop, for the first loop, and returns the deadline of the others.
    func takeExpired(at now: UInt64) -> (expired: [CurlTransfer], deadline: UInt64) {
        state.withLock { state in
            guard state.waitingCount > 0 else { return ([], .max) }
            var (expired, deadline) = ([CurlTransfer](), UInt64.max)
            for transfer in state.origins.values.flatMap(\.waiting.elements) + state.waiting.elements where !transfer.hasLoop {
                if transfer.deadline <= now {
                    transfer.move(to: 0)
                    expired.append(transfer)
                } else {
                    deadline = min(deadline, transfer.deadline)
                }
            }
            return (expired, deadline)
        }
    }

    /// Counts a new connection for a transfer that runs.
    func didOpenConnection(to origin: OriginTraffic, in loop: Int) {
        state.withLock { state in state.loops[loop].change(origin, in: loop) { origin.connections[loop] += 1 } }
    }

    /// Notes the number of idle connections of a loop, and returns that of the others.
    func setIdle(_ count: Int, of loop: Int) -> Int {
        idle[loop].value.store(count, ordering: .relaxed)
        return idle.indices.reduce(0) { $0 + ($1 == loop ? 0 : idle[$1].value.load(ordering: .relaxed)) }
    }

    func didCloseConnection(to origin: OriginTraffic, in loop: Int) -> Departure {
        state.withLock { state in
            state.loops[loop].change(origin, in: loop) { origin.connections[loop] -= 1 }
            return state.waitingCount > 0 ? grant(&state) : Departure()
        }
    }

    /// Notes whether connections to an origin carry one request at a time, so that all loops may have some.
    func learn(isExclusive: Bool, of origin: OriginTraffic, in loop: Int) -> Departure {
        state.withLock { state in
            guard origin.isExclusive != isExclusive else { return Departure() }
            for loop in state.loops.indices { state.loops[loop].subtract(origin, in: loop) }
            origin.learn(isExclusive: isExclusive, in: loop)
            for loop in state.loops.indices { state.loops[loop].add(origin, in: loop) }
            return grant(after: origin, &state)
        }
    }

    /// Refuses new transfers from now on; those that wait still get their places.
    func shutDown() { state.withLock { $0.isShutDown = true } }

    /// The connections and requests to one origin, or to all.
    func snapshot(of origin: Origin? = nil) -> CurlTransport.Traffic {
        state.withLock { state in
            state.origins.reduce(into: CurlTransport.Traffic()) { sum, entry in
                if origin == nil || entry.key == origin { entry.value.add(to: &sum) }
            }
        }
    }

    /// Whether a transfer waits.
    var hasWaiting: Bool { state.withLock { $0.waitingCount > 0 } }

    /// Whether no transfer has a place.
    var isIdle: Bool { state.withLock { $0.waitingCount == 0 && $0.loops.allSatisfy { $0.work == 0 } } }
}

/// The work and the connections of one loop.
struct LoopLoad {
    /// The running transfers, of which streamed ones weigh more.
    var work = 0
    /// The number of connections that the running transfers need.
    private(set) var occupied = 0
    /// The number of connections that there are or will be.
    private(set) var expected = 0

    var hasIdle: Bool { expected > occupied }

    mutating func add(_ origin: OriginTraffic, in loop: Int) {
        occupied += origin.occupied(in: loop)
        expected += origin.expected(in: loop)
    }

    mutating func subtract(_ origin: OriginTraffic, in loop: Int) {
        occupied -= origin.occupied(in: loop)
        expected -= origin.expected(in: loop)
    }

    mutating func change(_ origin: OriginTraffic, in loop: Int, _ change: () -> Void) {
        subtract(origin, in: loop)
        change()
        add(origin, in: loop)
    }
}

/// Entering and leaving, with the lock held.
extension LoopTraffic {
    private func enter(_ transfer: CurlTransfer, _ state: inout State) -> Int? {
        let origin = traffic(to: transfer.origin, &state)
        guard origin.isExclusive != true || origin.admitted < limits.perHost else {
            transfer.place = Place(origin: origin, stage: .behindOrigin(ticket: origin.waiting.append(transfer)))
            state.waitingCount += 1
            return nil
        }
        origin.admitted += 1
        return run(transfer, to: origin, &state)
    }

    private func traffic(to origin: Origin, _ state: inout State) -> OriginTraffic {
        if let traffic = state.origins[origin] { return traffic }
        if state.origins.count >= state.originLimit {
            state.origins = state.origins.filter { !$0.value.isIdle }
            state.originLimit = max(256, 2 * state.origins.count)
        }
        let traffic = OriginTraffic(to: origin, limits, loops: state.loops.count)
        state.origins[origin] = traffic
        return traffic
    }

    /// Lets an admitted transfer run, or wait for others to any origin.
    private func run(_ transfer: CurlTransfer, to origin: OriginTraffic, _ state: inout State) -> Int? {
        guard mayConnect(state) || !origin.needsConnection else {
            transfer.place = Place(origin: origin, stage: .behindAll(ticket: state.waiting.append(transfer)))
            state.waitingCount += 1
            return nil
        }
        let choice = origin.choose(isStreamed: transfer.isStreamed, limits, state.loops)
        let loop = choice.loop
        state.loops[loop].change(origin, in: loop) { origin.enter(loop) }
        state.loops[loop].work += transfer.weight
        transfer.place = Place(
            origin: origin, stage: .running(loop: loop), isExclusive: origin.isExclusive,
            connections: limits.connections(of: loop, state.loops), givesUpConnection: choice.givesUpConnection)
        return loop
    }

    /// Whether a further connection may be made, in place of an idle one where all are taken. While a loop still has to close one for an
    /// earlier transfer, others wait.
    private func mayConnect(_ state: State) -> Bool {
        var (occupied, expected) = (0, 0)
        for loop in state.loops {
            occupied += loop.occupied
            expected += loop.expected
        }
        return occupied < limits.total && expected <= limits.total
    }

    private func leave(_ transfer: CurlTransfer, _ state: inout State) -> Departure {
        guard let place = transfer.place else { return Departure() }
        transfer.place = nil
        let origin = place.origin
        switch place.stage {
        case .behindOrigin(let ticket):
            _ = origin.waiting.remove(ticket: ticket)
            state.waitingCount -= 1
            return Departure(endsWaiting: state.endsWaiting)
        case .behindAll(let ticket):
            _ = state.waiting.remove(ticket: ticket)
            state.waitingCount -= 1
        case .running(let loop):
            state.loops[loop].change(origin, in: loop) { origin.running[loop] -= 1 }
            state.loops[loop].work -= transfer.weight
        }
        origin.admitted -= 1
        return state.waitingCount > 0 ? grant(after: origin, &state) : Departure(endsWaiting: state.endsWaiting)
    }

    /// Lets waiting transfers run, in the order in which they came.
    private func grant(after origin: OriginTraffic, _ state: inout State) -> Departure {
        while origin.isExclusive != true || origin.admitted < limits.perHost, let next = origin.waiting.popFirst() {
            origin.admitted += 1
            next.place = Place(origin: origin, stage: .behindAll(ticket: state.waiting.append(next)))
        }
        return grant(&state)
    }

    private func grant(_ state: inout State) -> Departure {
        var departure = Departure()
        while mayConnect(state), let next = state.waiting.popFirst(), let place = next.place {
            state.waitingCount -= 1
            guard let loop = run(next, to: place.origin, &state) else { break }
            if !next.hasLoop { next.move(to: loop) }
            departure.granted.append(next)
        }
        departure.endsWaiting = state.endsWaiting
        return departure
    }
}

extension CurlTransfer {
    /// Its share in the work of a loop: a streamed one may be as long as many requests whose responses are collected.
    fileprivate var weight: Int { isStreamed ? 16 : 1 }

    /// Whether the request can be sent.
    fileprivate var isValid: Bool { (try? request.validate(for: origin)) != nil }
}
