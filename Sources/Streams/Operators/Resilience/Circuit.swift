/// The end of a call, or the first element of a trial.
enum CallOutcome {
    case answered, succeeded, failed, cancelled
}

/// The generation of the state in which a call was permitted: the call counts for that generation only.
struct CallPermit {
    var generation: Int
    var isTrial: Bool
}

/// The state machine of a circuit breaker.
struct Circuit {
    var metrics = CircuitBreaker.Metrics()
    var window: FailureWindow
    let openDuration: Duration
    let trialCalls: Int
    /// Counts the changes of the state.
    private var generation = 0
    private var openUntil = Duration.zero
    private var runningTrials = 0
    private var succeededTrials = 0

    init(window: FailureWindow, openDuration: Duration, trialCalls: Int) {
        (self.window, self.openDuration, self.trialCalls) = (window, openDuration, trialCalls)
    }

    mutating func enter(_ state: CircuitBreaker.State) {
        metrics.state = state
        generation += 1
        (runningTrials, succeededTrials) = (0, 0)
        window.clear()
    }

    mutating func permit(at now: Duration) throws(CircuitBreaker.Failure) -> CallPermit {
        do {
            try expectPermission(at: now)
        } catch {
            metrics.rejected += 1
            throw error
        }
        let isTrial = metrics.state == .halfOpen
        runningTrials += isTrial ? 1 : 0
        metrics.permitted += 1
        return CallPermit(generation: generation, isTrial: isTrial)
    }

    private mutating func expectPermission(at now: Duration) throws(CircuitBreaker.Failure) {
        if metrics.state == .open, now >= openUntil { enter(.halfOpen) }
        switch metrics.state {
        case .closed: break
        case .open: throw .open(retryAfter: openUntil - now)
        case .halfOpen where runningTrials + succeededTrials < trialCalls: break
        case .halfOpen: throw .halfOpen(trialCalls: trialCalls)
        case .forcedOpen: throw .forcedOpen
        }
    }

    mutating func settle(_ permit: inout CallPermit, _ outcome: CallOutcome, at now: Duration) {
        switch outcome {
        case .answered: break
        case .succeeded: metrics.succeeded += 1
        case .failed: metrics.failed += 1
        case .cancelled: metrics.cancelled += 1
        }
        guard permit.generation == generation else { return }
        if outcome == .failed, metrics.state == .halfOpen { return open(at: now) }
        if permit.isTrial { return settleTrial(&permit, outcome) }
        guard outcome == .failed || outcome == .succeeded, metrics.state == .closed else { return }
        if window.record(isFailure: outcome == .failed, at: now) { open(at: now) }
    }

    /// Continues a trial that has been answered as an ordinary call.
    private mutating func settleTrial(_ permit: inout CallPermit, _ outcome: CallOutcome) {
        runningTrials -= 1
        permit.isTrial = false
        guard outcome != .cancelled else { return }
        succeededTrials += 1
        if succeededTrials == trialCalls { enter(.closed) }
        permit.generation = generation
    }

    private mutating func open(at now: Duration) {
        enter(.open)
        metrics.opened += 1
        openUntil = now + openDuration
    }
}
