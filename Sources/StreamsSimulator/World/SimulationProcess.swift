import Foundation
import Streams
import SystemSources

extension Simulation {
    /// A process of a simulation: a service, with its wall clock and its disk.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    public final class Process: Killable, @unchecked Sendable {
        /// The name of the process and of its host.
        public let name: String
        /// The files of the process.
        public let disk: SimulatedDisk
        /// The line that added the process.
        private let place: String
        private let world: World
        private let restartDelay: Duration?
        private let work: @Sendable (Environment) throws -> Observable<Void>
        private var incarnation: Incarnation?
        private var clockOffset = Duration.zero
        /// The jumps of its clock that the process has not seen yet.
        private var jumps: [FaultOccurrence] = []

        init(
            _ name: String, at place: String, _ world: World, restartDelay: Duration?,
            _ work: @escaping @Sendable (Environment) throws -> Observable<Void>
        ) {
            (self.name, self.place, self.world, self.restartDelay, self.work) = (name, place, world, restartDelay, work)
            disk = SimulatedDisk(name, world.loop, world.trace)
        }

        /// Whether the process is running.
        public var isRunning: Bool { incarnation?.isAlive ?? false }

        /// The number of times that it has been started.
        public private(set) var starts = 0

        /// Whether the process runs, and nothing in the world will let its code run again.
        var waitsForNothing: Bool {
            guard let incarnation, incarnation.isAlive else { return false }
            return incarnation.wakeups == 0 && !world.loop.hasJobs(of: incarnation)
        }

        /// The description of the process in a failure.
        var title: String { EventLoop.description(of: incarnation) }

        /// Returns the time of its wall clock, for its code.
        func readClock() -> Duration {
            for jump in jumps { jump.takeEffect() }
            jumps = []
            return world.network.now + clockOffset
        }

        /// Kills the process, and cuts the power of its disk: whatever it does from now on has no effect, its connections are reset, its
        /// tasks are cancelled, and what it did not flush is lost.
        ///
        /// - Parameter restartAfter: the time after which it is started again; `nil` means never.
        public func kill(restartAfter: Duration?) {
            guard let incarnation, incarnation.isAlive else { return }
            world.trace.note(world.network.now, .killed, name, "")
            end()
            disk.loseUnflushed()
            restart(after: restartAfter)
        }

        /// Lets its wall clock jump.
        public func jumpClock(by duration: Duration) { clockOffset += duration }

        func jumpClock(by duration: Duration, _ fault: FaultOccurrence) {
            jumps.append(fault)
            jumpClock(by: duration)
        }

        func start() {
            starts += 1
            let incarnation = Incarnation(process: name, place: place, number: starts)
            self.incarnation = incarnation
            world.trace.note(world.network.now, .started, name, "\(starts)")
            let environment = Environment(world, self, incarnation)
            world.loop.run(as: incarnation) {
                Observable.deferred { [work] in try work(environment) }.subscribe(in: incarnation.lifetime) { [self] event in
                    switch event {
                    case .next: break
                    case .error(let error): ended(incarnation, .failed, "\(error)")
                    case .completed: ended(incarnation, .ended, "")
                    }
                }
                incarnation.whenItEnds { [disk] in
                    incarnation.lifetime.dispose()
                    disk.endCalls()
                }
            }
        }

        /// Ends the run as code of the process, which is responsible for the actions of its tasks when they are cancelled.
        func end() {
            guard let incarnation else { return }
            world.loop.run(as: incarnation) { incarnation.end() }
        }

        private func ended(_ incarnation: Incarnation, _ kind: Trace.Kind, _ reason: String) {
            guard incarnation.isAlive else { return }
            world.trace.note(world.network.now, kind, name, reason)
            incarnation.end()
            if kind == .failed { restart(after: restartDelay) }
        }

        private func restart(after delay: Duration?) {
            guard let delay else { return }
            world.network.schedule(after: delay) { [self] in if !isRunning, !world.loop.isEnding { start() } }
        }
    }

    /// The replacements for the system that a process of a simulation uses.
    public struct Environment: Sendable {
        private let world: World
        private let process: Process
        private let pool: ConnectionPool

        init(_ world: World, _ process: Process, _ incarnation: Incarnation) {
            (self.world, self.process) = (world, process)
            pool = ConnectionPool(world.network, incarnation)
        }

        /// The name of the process.
        public var name: String { process.name }

        /// The scheduler of its timers and its work. The default schedulers of operators run there as well.
        public var scheduler: any Scheduler { pool.scheduler }

        /// The scheduler of its main loop. `MainScheduler` runs there as well.
        public var mainScheduler: any Scheduler { LoopScheduler(loop: world.loop, owner: .process(pool.owner), isMainLoop: true) }

        /// The clock of the process, for `Task.sleep(for:clock:)`.
        public var clock: SimulatedClock { SimulatedClock(scheduler: pool.scheduler) }

        /// The wall clock of the process; faults let it jump.
        public var wallClock: any WallClock { SimulatedWallClock(process: process) }

        /// The transport that sends its requests to the servers of the world.
        public var transport: SimulatedTransport { SimulatedTransport(pool: pool) }

        /// The disk of the process: the `Disk` that a service takes.
        public var disk: SimulatedDisk { process.disk }

        /// The randomness of the simulation.
        public var random: Random { Random(loop: world.loop) }
    }
}

/// The wall clock of a process. The simulation begins on 2026-01-01, at midnight UTC.
struct SimulatedWallClock: WallClock {
    static let start = 1_767_225_600.0
    let process: Simulation.Process

    var now: Date { Date(timeIntervalSince1970: Self.start + process.readClock() / .seconds(1)) }
}

extension Simulation {
    /// The random numbers of a simulation, which its seed decides.
    public struct Random: RandomNumberGenerator, Sendable {
        let loop: EventLoop

        public mutating func next() -> UInt64 { loop.random.next() }
    }
}

/// The clock of a simulation, for `Task.sleep(for:clock:)` and for other code that takes a clock.
public struct SimulatedClock: Clock {
    /// A time since the simulation began.
    public struct Instant: InstantProtocol {
        /// The time since the simulation began.
        public let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let scheduler: LoopScheduler

    public var now: Instant { Instant(offset: scheduler.now) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Throws `CancellationError` when the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        for try await _ in Observable<Int>.timer(now.duration(to: deadline), scheduler: scheduler).values { return }
        try Task.checkCancellation()
    }
}

/// A part of the world that can be killed and started again.
protocol Killable: AnyObject {
    var name: String { get }
    var isRunning: Bool { get }
    func kill(restartAfter: Duration?)
}

/// One run of a process, from its start to its end. After its end it has no effect: the world ignores its calls.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class Incarnation: @unchecked Sendable {
    /// A part of the world that will run code of a process: a timer, a connection, a stream.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    final class Wakeup: @unchecked Sendable {
        let owner: Incarnation
        private var hasEnded = false

        fileprivate init(_ owner: Incarnation) {
            self.owner = owner
            owner.wakeups += 1
        }

        func end() {
            guard !hasEnded else { return }
            hasEnded = true
            owner.wakeups -= 1
        }
    }

    let process: String
    /// The line that added the process.
    let place: String
    /// The number of this run of the process, counted from 1.
    let number: Int
    /// The lifetime of its work.
    let lifetime = Gate()
    private(set) var isAlive = true
    private var onEnd: [@Sendable () -> Void] = []
    /// The number of wake-ups that will run its code. Without any, it waits for something that is not in the world.
    fileprivate(set) var wakeups = 0

    init(process: String, place: String, number: Int) {
        (self.process, self.place, self.number) = (process, place, number)
    }

    func expectWakeup() -> Wakeup { Wakeup(self) }

    /// Calls `action` when the run ends, in any way.
    func whenItEnds(_ action: @escaping @Sendable () -> Void) {
        if isAlive { onEnd.append(action) } else { action() }
    }

    func end() {
        guard isAlive else { return }
        isAlive = false
        let actions = onEnd
        onEnd = []
        for action in actions { action() }
    }
}
