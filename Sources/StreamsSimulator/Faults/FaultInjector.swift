import Foundation
import Streams
import StreamsTesting

/// Lets the faults of a plan occur.
///
/// Each fault has a number and a generator of its own, so that leaving one out does not change the others.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class FaultInjector: @unchecked Sendable {
    private unowned let world: Simulation.World
    private let seed: UInt64
    /// The numbers of the faults that occur; `nil` for all.
    private let included: Set<Int>?
    /// The number of the next fault, while nothing is scheduled.
    private var next: Int? = 1
    /// The faults that occurred, in order, with their effects.
    private(set) var injected: [FaultOccurrence] = []

    init(_ world: Simulation.World, seed: UInt64, included: Set<Int>?) {
        (self.world, self.seed, self.included) = (world, seed, included)
    }

    /// Begins, or continues after a pause.
    func resume(_ plan: Simulation.FaultPlan) {
        guard !plan.faults.isEmpty, let number = next.take() else { return }
        schedule(plan, number: number)
    }

    private func schedule(_ plan: Simulation.FaultPlan, number: Int) {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
        let gap = -log(Double.random(in: 1e-9...1, using: &random)) * (plan.rate.mean / .seconds(1))
        let fault = plan.faults[Int.random(in: 0..<plan.faults.count, using: &random)]
        world.network.schedule(after: .nanoseconds(Int64(gap * 1e9))) { [self, random] in
            guard world.now <= world.runsUntil, world.faults == plan else {
                next = number
                return
            }
            if included?.contains(number) ?? true {
                var random = random
                inject(fault, number, &random)
            }
            schedule(plan, number: number + 1)
        }
    }

    private func inject(_ fault: Simulation.Fault, _ number: Int, _ random: inout SeededGenerator) {
        // Most durations are short; some outlast every patience.
        let duration = Duration.milliseconds(Int64(10 * pow(12_000, Double.random(in: 0...1, using: &random))))
        let occurrence = FaultOccurrence(number, fault)
        guard let target = apply(occurrence, for: duration, &random) else { return }
        occurrence.description = "#\(number) \(fault.rawValue) \(target)"
        injected.append(occurrence)
        world.trace.note(world.network.now, .fault, "world", occurrence.description)
    }

    /// Applies a fault and returns its target; returns `nil` if there is none.
    private func apply(_ fault: FaultOccurrence, for duration: Duration, _ random: inout SeededGenerator) -> String? {
        let time = " for \(duration.displayText)"
        return switch fault.fault {
        case .refuse: hit(world.hosts, \.name, &random) { host, _ in host.refuse(for: duration, by: fault) }.map { $0 + time }
        case .serverErrors: hit(world.servers, \.name, &random) { server, _ in server.fail(for: duration, by: fault) }.map { $0 + time }
        case .loseResponse: hit(world.hosts, \.name, &random) { host, _ in host.loseResponse(by: fault) }
        case .repeatRequest: hit(world.servers, \.name, &random) { server, _ in server.repeatRequest(by: fault) }
        case .expireCredentials: hit(world.servers, \.name, &random) { server, _ in server.expireCredentials(by: fault) }
        case .reset: onConnection(&random) { $0.reset(after: Int.random(in: 1...5_000, using: &$1), by: fault) }
        case .hang: onConnection(&random) { pipe, _ in pipe.hang(by: fault) }
        case .lowBandwidth: onPath(&random) { $0.slow($1, for: duration, by: fault) }.map { $0 + time }
        case .oneWayPartition: onPath(&random) { $0.cut($1, for: duration, by: fault) }.map { $0 + time }
        case .partition:
            onPath(&random) {
                $0.cut($1, for: duration, by: fault)
                $0.cut($1.reversed, for: duration, by: fault)
            }.map { $0 + time }
        case .kill: hit(world.killable, \.name, &random) { target, _ in kill(target, for: duration, by: fault) }.map { $0 + time }
        case .clockJump:
            hit(world.processes, \.name, &random) { $0.jumpClock(by: .seconds(Int64.random(in: -3_600...3_600, using: &$1)), fault) }
        case .slowDisk: hit(world.processes, \.name, &random) { process, _ in process.disk.slow(for: duration, by: fault) }
        case .fullDisk: hit(world.processes, \.name, &random) { process, _ in process.disk.fill(for: duration, by: fault) }
        }
    }

    private func kill(_ target: any Killable, for duration: Duration, by fault: FaultOccurrence) {
        guard target.isRunning else { return }
        fault.takeEffect()
        target.kill(restartAfter: duration)
    }

    /// Applies `action` to one of the targets; returns its name.
    private func hit<Target>(
        _ targets: [Target], _ name: (Target) -> String, _ random: inout SeededGenerator,
        _ action: (Target, inout SeededGenerator) -> Void
    ) -> String? {
        guard let target = targets.randomElement(using: &random) else { return nil }
        action(target, &random)
        return name(target)
    }

    private func onConnection(_ random: inout SeededGenerator, _ action: (BytePipe, inout SeededGenerator) -> Void) -> String? {
        guard let process = world.processes.randomElement(using: &random),
            let socket = world.network.sockets(from: process.name).randomElement(using: &random)
        else { return nil }
        let pipe = Bool.random(using: &random) ? socket.input : socket.output
        action(pipe, &random)
        return pipe.path.description
    }

    private func onPath(_ random: inout SeededGenerator, _ action: (SimulatedNetwork, NetworkPath) -> Void) -> String? {
        guard let process = world.processes.randomElement(using: &random), let host = world.hosts.randomElement(using: &random)
        else { return nil }
        let path = NetworkPath(from: process.name, to: host.name)
        let chosen = Bool.random(using: &random) ? path : path.reversed
        action(world.network, chosen)
        return chosen.description
    }
}

/// A fault that occurs in a run, and whether it changed anything there.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class FaultOccurrence: @unchecked Sendable {
    /// The number of the fault in the run, by which it is left out.
    let number: Int
    let fault: Simulation.Fault
    /// The target of the fault.
    var description = ""
    /// Whether the fault made a difference: a server that refuses connections makes none until somebody connects.
    private(set) var tookEffect = false

    init(_ number: Int, _ fault: Simulation.Fault) {
        (self.number, self.fault) = (number, fault)
    }

    func takeEffect() { tookEffect = true }
}

/// The faults of one kind that hinder one target, each until its own end.
struct CurrentFaults {
    /// The faults, each with its cause; `nil` for the test itself.
    private var faults: [(end: Duration, occurrence: FaultOccurrence?)] = []

    mutating func add(_ occurrence: FaultOccurrence?, until end: Duration) {
        faults.append((end, occurrence))
    }

    /// Whether there is a fault at this time. This is asked where it makes a difference: the current faults take effect.
    mutating func hinder(at now: Duration) -> Bool {
        guard !faults.isEmpty else { return false }
        faults.removeAll { $0.end <= now }
        for fault in faults { fault.occurrence?.takeEffect() }
        return !faults.isEmpty
    }
}

/// Faults that each spoil one event; the oldest spoils the next event.
struct SingleFaults {
    private var faults: [FaultOccurrence?] = []

    mutating func add(_ occurrence: FaultOccurrence?) { faults.append(occurrence) }

    /// Whether the current event is spoiled.
    mutating func spoil() -> Bool {
        guard !faults.isEmpty else { return false }
        faults.removeFirst()?.takeEffect()
        return true
    }
}
