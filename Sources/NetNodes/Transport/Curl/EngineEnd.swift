/// The end of an engine, as it was asked for. Confined to the engine's thread.
struct EngineEnd {
    /// Whether the thread ends when no transfer is left.
    private(set) var isRequested = false
    /// The time at which running transfers are ended; `.max` if they end by themselves.
    private(set) var deadline = UInt64.max
    /// The closures to call when nothing is left.
    private var actions: [@Sendable () -> Void] = []

    mutating func request(at deadline: UInt64 = .max, then action: (@Sendable () -> Void)? = nil) {
        isRequested = true
        self.deadline = min(self.deadline, deadline)
        if let action { actions.append(action) }
    }

    mutating func takeActions() -> [@Sendable () -> Void] {
        defer { actions = [] }
        return actions
    }
}
