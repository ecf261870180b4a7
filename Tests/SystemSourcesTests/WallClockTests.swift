import Foundation
import StreamsTesting
import SystemSources
import Testing

@Suite("Timers on the wall clock", .onOneThread, .countsResources)
struct WallClockTests {
    private let scheduler = VirtualTimeScheduler()

    /// The times of a stream, until this is released.
    private final class Times: Sendable {
        private final class Received: Sendable {
            let events = Lock<[Event<Date>]>([])
        }

        private let received = Received()
        let subscription: any Disposable

        init(_ source: Observable<Date>) {
            subscription = source.subscribe { [received] event in received.events.withLock { $0.append(event) } }
        }

        deinit { subscription.dispose() }

        var all: [Date] { received.events.withLock { $0.compactMap(\.element) } }
        var hasEnded: Bool { received.events.withLock { $0.contains { $0.isStopEvent } } }
        var error: CronExpression.Failure? { received.events.withLock { $0.compactMap(\.error).first as? CronExpression.Failure } }
    }

    @Test func `A period begins at its multiples of the clock, not at the subscription, and does not drift`() {
        let clock = VirtualWallClock(date("2026-01-01T10:03Z").addingTimeInterval(17.25), scheduler: scheduler)
        let times = Times(.every(.minutes(5), clock: clock, scheduler: scheduler))
        scheduler.advance(by: .minutes(16))
        #expect(times.all == ["2026-01-01T10:05Z", "2026-01-01T10:10Z", "2026-01-01T10:15Z"].map(date))
        times.subscription.dispose()
        #expect(scheduler.isIdle)
    }

    @Test func `An anchor shifts the multiples, and a subscription at one waits for the next`() {
        let clock = VirtualWallClock(date("2026-01-01T10:01Z"), scheduler: scheduler)
        let times = Times(.every(.hours(1), from: date("2030-01-01T00:01Z"), clock: clock, scheduler: scheduler))
        scheduler.advance(by: .hours(2))
        #expect(times.all == ["2026-01-01T11:01Z", "2026-01-01T12:01Z"].map(date))
    }

    @Test func `Every day at the same time of the zone, whatever the clocks do`() {
        let clock = VirtualWallClock(date("2026-03-27T12:00Z"), scheduler: scheduler)
        let times = Times(.daily(at: TimeOfDay(7, 30), in: berlin, clock: clock, scheduler: scheduler))
        scheduler.advance(by: .hours(72))
        #expect(times.all == ["2026-03-28T07:30+01:00", "2026-03-29T07:30+02:00", "2026-03-30T07:30+02:00"].map(date))
    }

    @Test func `A cron line, and a wrong one as the error of the stream, that names the field`() {
        let clock = VirtualWallClock(date("2026-01-02T16:58Z"), scheduler: scheduler)
        let times = Times(.cron("*/30 8-17 * * mon-fri", in: .gmt, clock: clock, scheduler: scheduler))
        scheduler.advance(by: .minutes(64 * 60 + 5))
        #expect(
            times.all
                == ["2026-01-02T17:00Z", "2026-01-02T17:30Z", "2026-01-05T08:00Z", "2026-01-05T08:30Z", "2026-01-05T09:00Z"].map(date))
        let wrong = Times(.cron("* 25 * * *", clock: clock, scheduler: scheduler))
        #expect(wrong.error == .outOfRange(.hour, "25", allowed: 0...23))
    }

    @Test func `A stream of times that are 28 years apart does not end, and one of times that never come is an error`() {
        let clock = VirtualWallClock(date("2032-02-28T23:59Z"), scheduler: scheduler)
        let times = Times(.cron("0 0 29 2 */7", in: .gmt, clock: clock, scheduler: scheduler))
        scheduler.advance(by: .hours(1))
        #expect(times.all == [date("2032-02-29T00:00Z")])
        #expect(!times.hasEnded)
        let never = Times(.cron("*/5 2 29 3 */7", in: berlin, clock: clock, scheduler: scheduler))
        #expect(never.error == .neverFires)
    }

    @Test func `A time of day that does not exist is out of range, on either side of it`() {
        let clock = VirtualWallClock(date("2026-01-02T16:58Z"), scheduler: scheduler)
        func error(_ time: TimeOfDay) -> CronExpression.Failure? { Times(.daily(at: time, clock: clock, scheduler: scheduler)).error }
        for hour in [24, -1, .max, .min] {
            #expect(error(TimeOfDay(hour)) == .outOfRange(.hour, "\(hour)", allowed: 0...23))
        }
        for minute in [60, -5, .max, .min] {
            #expect(error(TimeOfDay(7, minute)) == .outOfRange(.minute, "\(minute)", allowed: 0...59))
        }
        #expect(error(TimeOfDay(-1, 60)) == .outOfRange(.hour, "-1", allowed: 0...23))
    }

    @Test func `A clock that is set forward over several times leads to one of them, within half a minute`() {
        let clock = VirtualWallClock(date("2026-01-01T10:00Z"), scheduler: scheduler)
        let times = Times(.every(.minutes(5), clock: clock, scheduler: scheduler))
        scheduler.advance(by: .minutes(1))
        clock.set(to: date("2026-01-01T12:02Z"))
        scheduler.advance(by: .seconds(30))
        #expect(times.all == [date("2026-01-01T10:05Z")])
        scheduler.advance(by: .minutes(8))
        #expect(times.all == ["2026-01-01T10:05Z", "2026-01-01T12:05Z", "2026-01-01T12:10Z"].map(date))
    }

    @Test func `A clock that is corrected back repeats nothing`() {
        let clock = VirtualWallClock(date("2026-01-01T10:00Z"), scheduler: scheduler)
        let times = Times(.every(.minutes(5), clock: clock, scheduler: scheduler))
        scheduler.advance(by: .minutes(5))
        #expect(times.all == [date("2026-01-01T10:05Z")])
        clock.set(to: date("2026-01-01T09:59Z"))
        scheduler.advance(by: .minutes(11))
        #expect(times.all == ["2026-01-01T10:05Z", "2026-01-01T10:10Z"].map(date))
    }

    @Test func `A clock that is set back far begins anew`() {
        let clock = VirtualWallClock(date("2027-01-01T10:00Z"), scheduler: scheduler)
        let times = Times(.every(.minutes(5), clock: clock, scheduler: scheduler))
        scheduler.advance(by: .minutes(5))
        clock.set(to: date("2026-01-01T09:59Z"))
        scheduler.advance(by: .minutes(2))
        #expect(times.all == ["2027-01-01T10:05Z", "2026-01-01T10:00Z"].map(date))
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min)])
    func `Extreme periods neither hang nor crash`(period: Duration) {
        let clock = VirtualWallClock(date("2026-01-01T10:00Z"), scheduler: scheduler)
        let times = Times(.every(period, clock: clock, scheduler: scheduler).take(3))
        scheduler.advance(by: .seconds(1))
        #expect(times.all.count <= 3)
    }

    @Test func `Minutes and hours are clamped`() {
        #expect(Duration.minutes(5) == .seconds(300))
        #expect(Duration.hours(-2) == .seconds(-7_200))
        #expect(Duration.hours(Int.max) == .seconds(Int64.max))
        #expect(Duration.minutes(Int.min) == .seconds(Int64.min))
    }

    @Test func `Disposing from inside the observer cancels the timer`() {
        let clock = VirtualWallClock(date("2026-01-01T10:00Z"), scheduler: scheduler)
        let times = Times(.every(.minutes(5), clock: clock, scheduler: scheduler).take(1))
        scheduler.advance(by: .hours(1))
        #expect(times.all.count == 1)
        #expect(scheduler.isIdle)
    }

    @Test func `The clock of the system shows the date`() {
        #expect(abs(SystemWallClock().now.timeIntervalSinceNow) < 3_600)
    }
}
