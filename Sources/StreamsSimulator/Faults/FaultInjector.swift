import Foundation
import Streams
import StreamsTesting

/// Lets the faults of a plan occur.
///
/// Each fault has a number and a generator of its own, so that leaving one out does not change the others.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class FaultInjector: @unchecked Sendable {
    private unowned let world: SimulatedWorld
    private let seed: UInt64
    /// The numbers of the faults that occur; `nil` for all.
    private let included: Set<Int>?
    /// The number of the fault that comes next, while nothing is scheduled.
    private var next: Int? = 1
    /// The faults that occurred, in order, with what they did.
    private(set) var injected: [(number: Int, fault: SimulatedFault, description: String)] = []

    init(_ world: SimulatedWorld, seed: UInt64, included: Set<Int>?) {
        (self.world, self.seed, self.included) = (world, seed, included)
    }

    /// Begins, or continues after a pause.
    func resume(_ plan: FaultPlan) {
        guard !plan.faults.isEmpty, let number = next.take() else { return }
        schedule(plan, number: number)
    }

    private func schedule(_ plan: FaultPlan, number: Int) {
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

    private func inject(_ fault: SimulatedFault, _ number: Int, _ random: inout SeededGenerator) {
        // Most are short; some outlast every patience.
        let duration = Duration.milliseconds(Int64(10 * pow(12_000, Double.random(in: 0...1, using: &random))))
        guard let target = apply(fault, for: duration, &random) else { return }
        let description = "#\(number) \(fault.rawValue) \(target)"
        injected.append((number, fault, description))
        world.trace.note(world.network.now, .fault, "world", description)
    }

    /// Returns what was hit; `nil` if there is nothing to hit.
    private func apply(_ fault: SimulatedFault, for duration: Duration, _ random: inout SeededGenerator) -> String? {
        switch fault {
        case .refuse: onHost(&random) { $0.refuse(for: duration) }.map { "\($0) for \(duration.displayText)" }
        case .serverErrors: onServer(&random) { $0.fail(for: duration) }.map { "\($0) for \(duration.displayText)" }
        case .loseResponse: onHost(&random) { $0.loseResponse() }
        case .repeatRequest: onServer(&random) { $0.repeatRequest() }
        case .expireCredentials: onServer(&random) { $0.expireCredentials() }
        case .reset: onConnection(&random) { $0.resetsAfter = Int.random(in: 1...5_000, using: &$1) }
        case .hang: onConnection(&random) { pipe, _ in pipe.hang() }
        case .lowBandwidth: onPath(&random, duration) { $0.slow($1, to: 200, for: duration) }
        case .oneWayPartition: onPath(&random, duration) { $0.cut($1, for: duration) }
        case .partition:
            onPath(&random, duration) {
                $0.cut($1, for: duration)
                $0.cut($1.reversed, for: duration)
            }
        case .kill: kill(for: duration, &random).map { "\($0) for \(duration.displayText)" }
        case .clockJump: onProcess(&random) { $0.jumpClock(by: .seconds(Int64.random(in: -3_600...3_600, using: &$1))) }
        case .slowDisk: onProcess(&random) { process, _ in process.disk.slow(for: duration) }
        case .fullDisk: onProcess(&random) { process, _ in process.disk.fill(for: duration) }
        }
    }

    private func onHost(_ random: inout SeededGenerator, _ action: (any SimulatedHost) -> Void) -> String? {
        guard let host = world.hosts.randomElement(using: &random) else { return nil }
        action(host)
        return host.name
    }

    /// Kills a process or a bus.
    private func kill(for duration: Duration, _ random: inout SeededGenerator) -> String? {
        let (processes, buses) = (world.processes, world.buses)
        guard let index = (0..<(processes.count + buses.count)).randomElement(using: &random) else { return nil }
        guard index < processes.count else {
            buses[index - processes.count].kill(restartAfter: duration)
            return buses[index - processes.count].name
        }
        processes[index].kill(restartAfter: duration)
        return processes[index].name
    }

    private func onServer(_ random: inout SeededGenerator, _ action: (SimulatedServer) -> Void) -> String? {
        guard let server = world.servers.randomElement(using: &random) else { return nil }
        action(server)
        return server.name
    }

    private func onProcess(
        _ random: inout SeededGenerator, _ action: (SimulatedProcess, inout SeededGenerator) -> Void
    ) -> String? {
        guard let process = world.processes.randomElement(using: &random) else { return nil }
        action(process, &random)
        return process.name
    }

    private func onConnection(_ random: inout SeededGenerator, _ action: (BytePipe, inout SeededGenerator) -> Void) -> String? {
        guard let process = world.processes.randomElement(using: &random),
            let socket = world.network.sockets(from: process.name).randomElement(using: &random)
        else { return nil }
        let pipe = Bool.random(using: &random) ? socket.input : socket.output
        action(pipe, &random)
        return pipe.path.description
    }

    private func onPath(_ random: inout SeededGenerator, _ duration: Duration, _ action: (Network, NetworkPath) -> Void) -> String? {
        guard let process = world.processes.randomElement(using: &random), let server = world.hosts.randomElement(using: &random)
        else { return nil }
        let path = NetworkPath(from: process.name, to: server.name)
        let chosen = Bool.random(using: &random) ? path : path.reversed
        action(world.network, chosen)
        return "\(chosen) for \(duration.displayText)"
    }
}
