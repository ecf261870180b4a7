import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("The health of a service")
struct HealthTests {
    private let scheduler = VirtualTimeScheduler()

    private struct Broken: LocalizedError {
        var errorDescription: String? = "no\nready\nalive"
    }

    @Test func `A service without checks is alive and ready`() {
        let health = ServiceHealth(scheduler: scheduler)
        #expect(ServiceHealth.Probe.allCases.map { health.report($0).isHealthy } == [true, true])
        #expect(health.answers == "alive\nready\n")
    }

    /// The answer of a check to each probe, after events and time.
    struct Row: Sendable {
        let probe: ServiceHealth.Probe
        let maximumAge: Duration?
        let events: [Event<Bool>]
        let wait: Duration
        let answers: String
    }

    private static let minute = Duration.seconds(60)
    private static let rows: [Row] = [
        Row(probe: .readiness, maximumAge: nil, events: [], wait: .zero, answers: "alive\nnot ready: source: no success yet\n"),
        Row(probe: .liveness, maximumAge: nil, events: [], wait: .hours(9), answers: "alive\nready\n"),
        Row(probe: .readiness, maximumAge: nil, events: [.next(true)], wait: .hours(9), answers: "alive\nready\n"),
        Row(probe: .readiness, maximumAge: minute, events: [.next(true)], wait: minute, answers: "alive\nready\n"),
        Row(
            probe: .readiness, maximumAge: minute, events: [.next(true)], wait: .seconds(61),
            answers: "alive\nnot ready: source: no success for 61 s\n"),
        Row(
            probe: .liveness, maximumAge: minute, events: [], wait: .seconds(61),
            answers: "not alive: source: no success for 61 s\nnot ready: source: no success for 61 s\n"),
        Row(
            probe: .readiness, maximumAge: nil, events: [.next(true), .next(false)], wait: .zero,
            answers: "alive\nnot ready: source: it is not so\n"),
        Row(probe: .readiness, maximumAge: nil, events: [.next(false), .next(true)], wait: .zero, answers: "alive\nready\n"),
        Row(probe: .readiness, maximumAge: nil, events: [.error(Broken()), .next(true)], wait: .zero, answers: "alive\nready\n"),
        Row(probe: .readiness, maximumAge: nil, events: [.next(true), .completed], wait: .zero, answers: "alive\nready\n"),
        Row(
            probe: .readiness, maximumAge: nil, events: [.next(true), .error(Broken())], wait: .zero,
            answers: "alive\nnot ready: source: no ready alive\n"),
    ]

    @Test(arguments: rows.indices) func `A check answers with the last report, and with its age`(index: Int) {
        let row = Self.rows[index]
        let health = ServiceHealth(scheduler: scheduler)
        let check = health.check("source", for: row.probe, maximumAge: row.maximumAge)
        for event in row.events { check.on(event) }
        scheduler.advance(by: row.wait)
        #expect(health.answers == row.answers)
    }

    @Test func `A stream reports its elements and each failure, also before a retry`() {
        let health = ServiceHealth(scheduler: scheduler)
        let source = PublishSubject<Int>()
        let attempts = Lock(0)
        let stream = Observable<Int>.deferred {
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            return isFirst ? .error(Broken()) : source.asObservable()
        }
        let subscription = stream.reported(to: health.check("source", maximumAge: Self.minute))
            .retry(.delay(.seconds(5), maxAttempts: 9), scheduler: scheduler).subscribe()
        #expect(!health.report(.readiness).isHealthy)
        scheduler.advance(by: .seconds(5))
        source.onNext(1)
        #expect(health.report(.readiness) == ServiceHealth.Report(probe: .readiness, problems: []))
        scheduler.advance(by: .seconds(61))
        #expect(health.report(.readiness).problems == ["source: no success for 61 s"])
        subscription.dispose()
    }

    @Test func `A check takes the place of one of the same name`() {
        let health = ServiceHealth(scheduler: scheduler)
        health.check("source").on(.next(false))
        #expect(health.report(.readiness).problems == ["source: it is not so"])
        health.check("source", for: .liveness).on(.next(true))
        #expect(health.answers == "alive\nready\n")
    }

    @Test func `All problems are named, and a full queue is one`() {
        let health = ServiceHealth(scheduler: scheduler)
        let count = BehaviorRelay(value: 1)
        let subscription = count.map { $0 < 100 }.subscribe(health.check("queue"))
        let check = health.check("source", for: .liveness)
        #expect(health.answers == "alive\nready\n")
        count.accept(100)
        check.on(.next(false))
        #expect(health.answers == "not alive: source: it is not so\nnot ready: queue: it is not so; source: it is not so\n")
        subscription.dispose()
    }
}
