extension Simulation {
    /// The faults that can occur in a simulation.
    public enum Fault: String, Sendable, CaseIterable {
        /// A server accepts no connections for a while.
        case refuse
        /// A connection is reset, after a random number of further bytes.
        case reset
        /// Between two hosts at most 200 bytes a second pass for a while.
        case lowBandwidth
        /// A connection stays open, and nothing arrives on it any more.
        case hang
        /// Between two hosts nothing arrives for a while, in both directions.
        case partition
        /// Nothing that one host sends reaches the other for a while; the opposite direction works.
        case oneWayPartition
        /// A server handles a request, and its response is lost with the connection, like a lost acknowledgement.
        case loseResponse
        /// An idempotent request arrives twice, as a proxy may repeat it.
        case repeatRequest
        /// A server answers every request with 500 for a while.
        case serverErrors
        /// All credentials that a server has seen have expired: it answers them with 401.
        case expireCredentials
        /// The wall clock of a process jumps by up to an hour, forward or back.
        case clockJump
        /// The disk of a process takes ten seconds for each call for a while.
        case slowDisk
        /// The disk of a process is full for a while.
        case fullDisk
        /// A process is killed: nothing that it does has an effect any more. It is started again after a while, with what was on its disk:
        /// what it did not flush may be lost.
        case kill
    }

    /// The faults that occur in a simulation by themselves, and their rate.
    public struct FaultPlan: Sendable, Equatable {
        var faults: [Fault]
        var rate: FaultRate

        /// No faults except those that you request.
        public static let none = FaultPlan(faults: [], rate: .perHour(1))

        /// Returns a plan with every kind of fault.
        public static func all(rate: FaultRate) -> FaultPlan { FaultPlan(faults: Fault.allCases, rate: rate) }

        /// Returns a plan with these kinds of faults.
        public static func only(_ faults: Fault..., rate: FaultRate) -> FaultPlan { FaultPlan(faults: faults, rate: rate) }

        /// Returns this plan without some kinds of faults.
        public func without(_ excluded: Fault...) -> FaultPlan {
            FaultPlan(faults: faults.filter { !excluded.contains($0) }, rate: rate)
        }
    }

    /// The average rate of faults.
    public struct FaultRate: Sendable, Equatable {
        let mean: Duration

        /// Returns a rate of this many faults a minute.
        public static func perMinute(_ count: Double) -> FaultRate { FaultRate(mean: .seconds(60) / max(count, 1e-9)) }
        /// Returns a rate of this many faults an hour.
        public static func perHour(_ count: Double) -> FaultRate { FaultRate(mean: .seconds(3_600) / max(count, 1e-9)) }
    }
}
