import Foundation
import Synchronization

/// The replacements for the time, the queues and the main loop of the system on a thread that runs a simulation.
///
/// The schedulers of the system ask for them when an action is scheduled. So code that was not given the scheduler of the simulation is
/// simulated as well. If there is no simulation, this costs one load.
package final class SimulatedSystem: Sendable {
    private static let count = Atomic(0)
    private static let reference = ThreadReference<SimulatedSystem>()

    /// The scheduler that replaces every queue.
    package let scheduler: any Scheduler
    /// The scheduler that replaces the main loop.
    package let mainLoop: any Scheduler
    package let isOnMainLoop: @Sendable () -> Bool
    /// The date, in seconds since 1970.
    package let date: @Sendable () -> Double
    package let random: @Sendable () -> UInt64
    /// The network of the process whose code is running; its type belongs to the modules of the network.
    package let network: @Sendable () -> any Sendable

    package init(
        scheduler: any Scheduler, mainLoop: any Scheduler, isOnMainLoop: @escaping @Sendable () -> Bool,
        date: @escaping @Sendable () -> Double, random: @escaping @Sendable () -> UInt64, network: @escaping @Sendable () -> any Sendable
    ) {
        (self.scheduler, self.mainLoop, self.isOnMainLoop) = (scheduler, mainLoop, isOnMainLoop)
        (self.date, self.random, self.network) = (date, random, network)
    }

    /// The simulation that this thread runs.
    package static var current: SimulatedSystem? {
        count.load(ordering: .relaxed) == 0 ? nil : reference.current
    }

    /// Runs `body` as a part of the simulation.
    package func run(_ body: () -> Void) {
        Self.count.add(1, ordering: .relaxed)
        Self.reference.with(self, body)
        Self.count.subtract(1, ordering: .relaxed)
    }
}

/// The generator of the simulation that this thread runs, and otherwise that of the system.
package struct CurrentRandomNumberGenerator: RandomNumberGenerator {
    package init() {}

    package func next() -> UInt64 {
        guard let simulated = SimulatedSystem.current else {
            var system = SystemRandomNumberGenerator()
            return system.next()
        }
        return simulated.random()
    }

    /// Fills at most 256 bytes of memory with random numbers; outside of a simulation nobody can predict them.
    package func fill(_ memory: UnsafeMutableRawBufferPointer) {
        if SimulatedSystem.current == nil, unsafe getentropy(memory.baseAddress, memory.count) == 0 { return }
        for index in memory.indices { unsafe memory[index] = UInt8(truncatingIfNeeded: next()) }
    }
}

/// Returns 32 hexadecimal digits that are unique.
///
/// The digits do not come from `UUID`: it opens a device on Linux, and returns the same value each time in a process without a free
/// descriptor.
///
/// - Parameter generator: the source of randomness. By default the identifier follows from the seed in a simulation. With the system's
///   generator it does not: use that if the identifier outlives a simulation, or must not change its run.
package func randomIdentifier(from generator: some RandomNumberGenerator = CurrentRandomNumberGenerator()) -> String {
    var generator = generator
    return [generator.next(), generator.next()].map { half in
        let digits = String(half, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
}
