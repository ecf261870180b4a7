import Foundation
import Streams

extension ServiceHealth {
    /// A question that the supervisor of a service asks.
    public enum Probe: String, Sendable, CaseIterable {
        /// Whether the service works. One that does not is started again.
        case liveness
        /// Whether the service can work now, and may be given something to do.
        case readiness
    }

    /// The answer to a probe.
    public struct Report: Sendable, Equatable, CustomStringConvertible {
        /// The question.
        public let probe: Probe
        /// The problems, each with the name of the check that found it; none if the service is healthy.
        public let problems: [String]

        /// Whether the answer is yes.
        public var isHealthy: Bool { problems.isEmpty }

        /// The answer in a line: `ready`, or `not ready: quotes: no success for 61 s`.
        public var description: String {
            isHealthy ? probe.word : "not \(probe.word): \(problems.joined(separator: "; "))"
        }
    }
}

/// The health of a service, as its streams tell it.
///
/// ```swift
/// let health = ServiceHealth()
/// let prices = quotes.reported(to: health.check("quotes", maximumAge: .seconds(60)))
/// indicator.count.map { $0 < 100 }.subscribe(health.check("queue")).disposed(by: bag)
/// health.answer(on: URL(filePath: "/run/prices/health")).subscribe().disposed(by: bag)
/// ```
///
/// Checks may be added and asked from any thread.
public final class ServiceHealth: Sendable {
    private let scheduler: any Scheduler
    private let checks = Lock<[Check]>([])

    /// Creates a service without checks, which is alive and ready.
    ///
    /// - Parameter scheduler: the scheduler whose time tells how old a success is; nothing runs on it.
    public init(scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .utility)) {
        self.scheduler = scheduler
    }

    /// Adds a check, which a stream reports to. It takes the place of one of the same name, so a service that begins anew makes its checks
    /// anew.
    ///
    /// - Parameters:
    ///   - name: the name of the check in reports.
    ///   - probe: the probe that it answers. What is not alive is not ready either.
    ///   - maximumAge: the time after which a success is too old; `nil` means never.
    public func check(_ name: String, for probe: Probe = .readiness, maximumAge: Duration? = nil) -> Check {
        let check = Check(name, probe, maximumAge, scheduler)
        checks.withLock { checks in
            checks.removeAll { $0.name == name }
            checks.append(check)
        }
        return check
    }

    /// Returns the answer to a probe at this moment.
    public func report(_ probe: Probe) -> Report {
        let asked = checks.withLock { $0 }.filter { probe == .readiness || $0.probe == .liveness }
        return Report(probe: probe, problems: asked.compactMap { $0.problem })
    }

    /// The answers to all probes, one on each line.
    var answers: String { Probe.allCases.map { "\(report($0))\n" }.joined() }
}

extension ServiceHealth {
    /// A part of the health of a service: the last that its stream reported.
    ///
    /// `true` is a success, `false` and an error are failures; both hold until the next report. Before the first one a service is alive,
    /// and not ready.
    public final class Check: ObserverType {
        private struct State {
            var lastSuccess: Duration
            var hasSucceeded = false
            var failure: String?
        }

        let name: String
        let probe: Probe
        private let maximumAge: Duration?
        private let scheduler: any Scheduler
        private let state: Lock<State>

        init(_ name: String, _ probe: Probe, _ maximumAge: Duration?, _ scheduler: any Scheduler) {
            (self.name, self.probe, self.maximumAge, self.scheduler) = (name, probe, maximumAge, scheduler)
            state = Lock(State(lastSuccess: scheduler.now))
        }

        public func on(_ event: consuming Event<Bool>) {
            switch consume event {
            case .next(true):
                let now = scheduler.now
                state.withLock { $0 = State(lastSuccess: now, hasSucceeded: true) }
            case .next(false): fail("it is not so")
            case .error(let error): fail(error.localizedDescription)
            case .completed: break
            }
        }

        private func fail(_ reason: String) {
            state.withLock { $0.failure = reason }
        }

        /// The problem in a line; `nil` without one.
        var problem: String? {
            let now = scheduler.now
            let reason = state.withLock { state -> String? in
                if let failure = state.failure { return failure }
                if let maximumAge, now - state.lastSuccess > maximumAge { return "no success for \((now - state.lastSuccess).displayText)" }
                return state.hasSucceeded || probe == .liveness ? nil : "no success yet"
            }
            // A reason that had lines could look like another answer.
            return reason.map { "\(name): \($0)".split(whereSeparator: \.isNewline).joined(separator: " ") }
        }
    }
}

extension ObservableType {
    /// Reports each element to a check as a success, and an error as a failure.
    ///
    /// ```swift
    /// let watched = numbers.reported(to: check)
    /// ```
    ///
    /// Before a `retry`, the failure is reported at once, and the next element is the success that ends it. Elements and the end of the
    /// stream are forwarded where upstream emits.
    /// Source: [Kubernetes, Probes](https://kubernetes.io/docs/concepts/workloads/pods/probes/).
    public func reported(to check: ServiceHealth.Check) -> Observable<Element> {
        asObservable().do(onNext: { _ in check.on(.next(true)) }, onError: { check.on(.error($0)) })
    }
}

extension ServiceHealth.Probe {
    /// The state of a service that answers yes.
    var word: String {
        switch self {
        case .liveness: "alive"
        case .readiness: "ready"
        }
    }
}
