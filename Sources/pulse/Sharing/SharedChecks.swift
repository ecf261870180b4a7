import Foundation
import NATSNodes
import NetNodes

/// Checks that go through NATS: one `pulse watch --publish` makes them, and any number of `pulse view` show them.
///
/// The checks are shared with `share(over:)`; within one process it would be `share`.
struct SharedChecks: Sendable {
    private let bus: NATSConnection
    private let subject: String
    private let scheduler: any Scheduler

    init(_ address: SharedAddress, scheduler: any Scheduler) {
        bus = NATSConnection(address.server)
        subject = address.subject
        self.scheduler = scheduler
    }

    /// Publishes checks, and emits a problem for as long as that fails.
    func publishing(_ checks: Observable<Check>) -> Observable<WatchEvent> {
        let published = checks.map(CheckLine.object).share(over: bus, subject, replay: Self.history)
        return persistently(published.map { _ in .problem(nil) }).distinctUntilChanged()
    }

    /// Emits the checks that another process publishes: those of the last minutes, and then each.
    func events(_ state: Observable<DashboardState>) -> Observable<WatchEvent> {
        let checks = bus.shared(subject, as: JSON.self, replay: Self.history).compactMap(CheckLine.check)
        let problems = bus.events.compactMap { [subject] event -> WatchEvent? in
            switch event {
            case .waiting(let error), .gaveUp(let error, _): .problem(Self.sentence(error, subject))
            default: nil
            }
        }
        let received = persistently(.merge(problems, checks.flatMapIterable { [WatchEvent.problem(nil), .check($0)] }))
        return state.pausing(received).scan(into: Progress()) { progress, event in progress.take(event) }.compactMap(\.event)
    }

    /// Repeats after every error, and emits its description until then.
    private func persistently(_ events: Observable<WatchEvent>) -> Observable<WatchEvent> {
        events.catch { [subject] error in
            .concat(.just(.problem(Self.sentence(error, subject))), .error(error))
        }
        .retry(Self.retries, scheduler: scheduler)
    }

    private static let noStore = "the server stores nothing: start it with nats-server -js"

    private static func sentence(_ error: any Error, _ subject: String) -> String {
        switch error as? NATSError {
        case .jetStream(let error)? where error.status == 404: "nothing has been published as \(subject) yet"
        case .jetStream(let error)? where error.status == 503 && error.code == 0: noStore
        case .noResponders?: noStore
        default: ErrorWording.sentence(error)
        }
    }

    /// Finds the new events: after a pause or a reconnection, the last minutes arrive again.
    ///
    /// A check is known if it was received before, whatever its time: clocks of other machines are wrong.
    struct Progress: Sendable {
        private struct Known: Hashable, Sendable {
            let id: String
            let time: Date
        }

        private var known: Set<Known> = []
        /// The known checks in the order in which they arrived.
        private var order: [Known] = []
        private var problem: String?
        private(set) var event: WatchEvent?

        mutating func take(_ event: WatchEvent) {
            self.event = nil
            switch event {
            case .check(let check):
                guard remember(Known(id: check.target.id, time: check.time)) else { return }
            case .problem(let sentence):
                guard sentence != problem else { return }
                problem = sentence
            case .targets: break
            }
            self.event = event
        }

        /// Remembers as many checks as the server keeps.
        ///
        /// - Returns: whether the check is new.
        private mutating func remember(_ check: Known) -> Bool {
            guard known.insert(check).inserted else { return false }
            order.append(check)
            if order.count > SharedChecks.history { known.remove(order.removeFirst()) }
            return true
        }
    }

    /// The number of checks that a late screen receives first.
    static let history = 2_000
    private static let retries = RetryPolicy.exponential(initial: .milliseconds(500), cap: .seconds(10), maxAttempts: .max)
}

/// A subject of a NATS server to which checks are published: `nats://host:4222/subject`.
struct SharedAddress: Equatable, Sendable {
    /// The server, with the credentials that the user gave.
    let server: String
    let subject: String

    /// - Throws: `UsageError` if the text is no such address.
    init(_ text: String, usage: String) throws(UsageError) {
        let expected = UsageError("\(usage) needs the address of a NATS server with a subject, such as nats://127.0.0.1:4222/status")
        guard let separator = text.range(of: "://"), ["nats", "tls"].contains(text[..<separator.lowerBound]) else { throw expected }
        let parts = text[separator.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, Self.isSubject(parts[1]) else { throw expected }
        server = "\(text[..<separator.upperBound])\(parts[0])"
        subject = String(parts[1])
    }

    /// The address without user and password, for a title.
    var title: String {
        let parts = server.split(separator: "@")
        guard parts.count > 1, let scheme = server.range(of: "://"), let host = parts.last else { return "\(subject)  \(server)" }
        return "\(subject)  \(server[..<scheme.upperBound])\(host)"
    }

    private static func isSubject(_ text: Substring) -> Bool {
        let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
        return tokens.allSatisfy { token in
            !token.isEmpty && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"*>/\\".utf8.contains($0) }
        }
    }
}
