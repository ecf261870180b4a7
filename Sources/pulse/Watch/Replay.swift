import Foundation
import NetNodes

/// A recording that is shown again under virtual time.
struct Replay: Sendable {
    private let file: URL
    private let speed: Double

    /// - Throws: `UsageError` if the file cannot be read.
    init(_ file: URL, speed: Double) throws(UsageError) {
        self.file = file
        self.speed = speed
        guard access(file.relativePath, R_OK) == 0 else {
            throw UsageError("pulse watch: --replay \(file.relativePath): \(String(cString: strerror(errno)))")
        }
    }

    /// Emits the events of the file, each at its time: `ticks` advance the virtual time, so that pausing them pauses it.
    ///
    /// The memory is that of one line: the next line is read when the previous one was emitted.
    func events(_ state: Observable<DashboardState>, scheduler: any Scheduler) -> Observable<WatchEvent> {
        let (file, step) = (file, Self.tick * speed)
        return .deferred {
            let time = VirtualTimeScheduler()
            let ticks = state.pausing(Observable<Int>.interval(Self.tick, scheduler: scheduler)).do(onNext: { _ in time.advance(by: step) })
            let end = Observable.just(WatchEvent.problem("end of the recording"))
            return .merge(
                Self.events(of: RecordedEvents(file), on: time).concat(end), ticks.ignoreElements().map { _ -> WatchEvent in })
        }
    }

    /// Emits all events at once, for a pipe.
    func allEvents() -> Observable<WatchEvent> {
        .create { [file] observer in
            let time = VirtualTimeScheduler()
            let subscription = Self.events(of: RecordedEvents(file), on: time).subscribe(observer)
            time.run()
            return subscription
        }
    }

    private static func events(of recorded: RecordedEvents, on time: VirtualTimeScheduler) -> Observable<WatchEvent> {
        .create { observer in
            let next = SerialDisposable()
            @Sendable func schedule() {
                guard let event = recorded.next() else { return observer.onCompleted() }
                next.disposable = time.schedule(after: event.delay) {
                    observer.onNext(event.event)
                    schedule()
                }
            }
            next.disposable = time.schedule(schedule)
            return next
        }
    }

    private static let tick = Duration.milliseconds(50)
}

/// The events of a file, read on request.
final class RecordedEvents: Sendable {
    private struct State {
        var lines: LineReader
        var last: Date?
        var number = 0
    }

    private let state: Lock<State>

    init(_ file: URL) {
        state = Lock(State(lines: LineReader(file)))
    }

    /// Returns the next event and the time since the previous one; `nil` at the end.
    func next() -> (event: WatchEvent, delay: Duration)? {
        state.withLock { state in
            while let line = state.lines.next() {
                state.number += 1
                if line.isEmpty { continue }
                guard let json = try? JSON(parsing: Data(line)), let check = CheckLine.check(json) else {
                    return (.problem("line \(state.number) of the recording is no check"), .zero)
                }
                let seconds = min(max(check.time.timeIntervalSince(state.last ?? check.time), 0), Self.longestGap)
                state.last = check.time
                return (.check(check), .microseconds(Int64(seconds * 1_000_000)))
            }
            return nil
        }
    }

    /// The longest gap: a longer pause, such as that between two recordings in one file, is cut.
    private static let longestGap: TimeInterval = 600
}

/// The lines of a file, read in pieces. A line that is too long is still one line, without its middle.
private struct LineReader {
    private let handle: FileHandle?
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ file: URL) {
        handle = try? FileHandle(forReadingFrom: file)
    }

    mutating func next() -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return buffer[start..<end]
            }
            buffer.removeFirst(start)
            start = 0
            if buffer.count > Self.longestLine { buffer.removeSubrange(Self.longestLine...) }
            guard let more = try? handle?.read(upToCount: Self.pieceSize), !more.isEmpty else {
                defer { buffer = [] }
                return buffer.isEmpty ? nil : buffer[...]
            }
            buffer += more
        }
    }

    private static let pieceSize = 65_536
    /// The maximum length of a line. A check needs less, even if all its texts are at their longest and escaped.
    private static let longestLine = 65_536
}
