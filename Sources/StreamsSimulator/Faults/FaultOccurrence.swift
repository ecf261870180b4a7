/// A fault that occurs in a run, and whether it changed anything there.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class FaultOccurrence: @unchecked Sendable {
    /// The number of the fault in the run, by which it is left out.
    let number: Int
    let fault: SimulatedFault
    /// The target of the fault.
    var description = ""
    /// Whether the fault made a difference: a server that refuses connections makes none until somebody connects.
    private(set) var tookEffect = false

    init(_ number: Int, _ fault: SimulatedFault) {
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
