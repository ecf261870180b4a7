import Foundation

/// A time of day.
public struct TimeOfDay: Sendable, Equatable {
    /// The hour, from 0 to 23.
    public let hour: Int
    /// The minute, from 0 to 59.
    public let minute: Int

    /// Creates a time of day. If it does not exist, its streams fail with ``CronExpression/Failure/outOfRange(_:_:allowed:)``.
    public init(_ hour: Int, _ minute: Int = 0) {
        (self.hour, self.minute) = (hour, minute)
    }
}

extension Observable where Element == Date {
    /// Emits at each multiple of `period` on the wall clock: every five minutes at :00, :05, :10...
    ///
    /// ```swift
    /// let samples = Observable.every(.minutes(5), scheduler: scheduler).flatMapLatest { _ in measure() }
    /// // --a--b--c--
    /// ```
    ///
    /// The multiples are counted from `anchor`, by default 1970 in UTC; for hours of a time zone see
    /// ``cron(_:in:clock:scheduler:)-(String,_,_,_)``. A period below a millisecond counts as one millisecond. The element is the time that
    /// was due. Never terminates.
    ///
    /// When the clock is set forward over several times, or several pass while the consumer is suspended, one element is emitted for them:
    /// the first. When the clock is set back by at most three hours, no time is repeated; when it is set back by more, times begin again.
    /// Without a notification of the system, a change is noticed within 30 seconds. Source:
    /// [crontab(5)](https://man7.org/linux/man-pages/man8/cron.8.html).
    public static func every(
        _ period: Duration, from anchor: Date = Date(timeIntervalSince1970: 0), clock: any WallClock = .system, scheduler: any Scheduler
    ) -> Observable<Date> {
        let seconds = Swift.max(0.001, period.clamped.timeInterval)
        return times(clock, scheduler) { date in
            let count = (date.timeIntervalSince(anchor) / seconds).rounded(.down)
            let next = anchor.addingTimeInterval((count + 1) * seconds)
            // The quotient was rounded up or down.
            return next > date ? next : anchor.addingTimeInterval((count + 2) * seconds)
        }
    }

    /// Emits every day at a time of day in `zone`.
    ///
    /// ```swift
    /// let reports = Observable.daily(at: TimeOfDay(7, 30), in: berlin, scheduler: scheduler)
    /// // --a--b--c--
    /// ```
    ///
    /// On a day whose clocks are set forward over that time, the element is the first moment after it; if the time exists twice, it is the
    /// first one. Otherwise like ``every(_:from:clock:scheduler:)``.
    public static func daily(
        at time: TimeOfDay, in zone: TimeZone = .current, clock: any WallClock = .system, scheduler: any Scheduler
    ) -> Observable<Date> {
        deferred {
            for (field, value, allowed) in [(CronExpression.Field.hour, time.hour, 0...23), (.minute, time.minute, 0...59)] {
                guard allowed.contains(value) else { throw CronExpression.Failure.outOfRange(field, "\(value)", allowed: allowed) }
            }
            return cron("\(time.minute) \(time.hour) * * *", in: zone, clock: clock, scheduler: scheduler)
        }
    }

    /// Emits at the times of a cron line in `zone`; fails with ``CronExpression/Failure`` if the line is not valid, or no such time exists.
    /// Never completes.
    ///
    /// ```swift
    /// let checks = Observable.cron("*/5 8-17 * * mon-fri", in: berlin, scheduler: scheduler)
    /// // --a--b--c--
    /// ```
    ///
    /// See ``CronExpression`` for the syntax and daylight saving time, and ``every(_:from:clock:scheduler:)`` for the rest.
    public static func cron(
        _ line: String, in zone: TimeZone = .current, clock: any WallClock = .system, scheduler: any Scheduler
    ) -> Observable<Date> {
        deferred { cron(try CronExpression(line), in: zone, clock: clock, scheduler: scheduler) }
    }

    /// Emits at the times of a cron line that was parsed before; otherwise like ``cron(_:in:clock:scheduler:)-(String,_,_,_)``.
    public static func cron(
        _ expression: CronExpression, in zone: TimeZone = .current, clock: any WallClock = .system, scheduler: any Scheduler
    ) -> Observable<Date> {
        times(clock, scheduler) { expression.next(after: $0, in: zone) }
    }

    private static func times(
        _ clock: any WallClock, _ scheduler: any Scheduler, _ next: @escaping @Sendable (Date) -> Date?
    ) -> Observable<Date> {
        Observable { downstream, lifetime in
            WallClockTimer(clock, scheduler, Outlet(downstream, lifetime), next).start()
        }
    }
}

/// Emits the times of a schedule when the wall clock has reached them.
private final class WallClockTimer: @unchecked Sendable {
    // Law 2: each action of the scheduler plans the next, so the state is accessed by one of them at a time.

    /// The longest time without a look at the clock, after which a change of the clock is noticed.
    private static let longestWait = Duration.seconds(30)
    /// If the clock is set back by at most this much, it counts as corrected, and emitted times are not repeated.
    private static let correction: TimeInterval = 3 * 3_600

    private let clock: any WallClock
    private let scheduler: any Scheduler
    private let outlet: Outlet<Date>
    private let next: @Sendable (Date) -> Date?
    private let timer: PlannedMember
    /// The date after which the next time was computed, and that time.
    private var reference = Date.distantPast
    private var due = Date.distantFuture
    private var lastEmitted = Date.distantPast

    init(
        _ clock: any WallClock, _ scheduler: any Scheduler, _ outlet: Outlet<Date>, _ next: @escaping @Sendable (Date) -> Date?
    ) {
        (self.clock, self.scheduler, self.outlet, self.next) = (clock, scheduler, outlet, next)
        timer = PlannedMember(in: outlet.lifetime)
    }

    func start() {
        look(after: clock.now)
    }

    /// Finds the first time after `date` and waits for it.
    private func look(after date: Date) {
        guard let time = next(date) else { return outlet.emit(.error(CronExpression.Failure.neverFires)) }
        (reference, due) = (date, time)
        wait(from: clock.now)
    }

    private func wait(from now: Date) {
        let rest = Duration(clampingSeconds: due.timeIntervalSince(now))
        let delay = min(max(rest, .microseconds(1)), Self.longestWait)
        timer.planned.plan { scheduler.schedule(after: delay) { [self] in check() } }
    }

    private func check() {
        guard !outlet.isDisposed else { return }
        let now = clock.now
        if now >= due {
            // The time that is due is kept while downstream is suspended; those after it are not looked for.
            guard outlet.awaitReadiness({ [self] in didResume() }) else { return }
            let time = due
            lastEmitted = time
            outlet.emit(.next(time))
            guard !outlet.isDisposed else { return }
            return look(after: max(clock.now, time))
        }
        guard now < reference else { return wait(from: now) }
        let isCorrection = lastEmitted > now && lastEmitted.timeIntervalSince(now) <= Self.correction
        look(after: isCorrection ? lastEmitted : now)
    }

    private func didResume() {
        outlet.didResume()
        timer.planned.plan { scheduler.schedule { [self] in check() } }
    }
}
