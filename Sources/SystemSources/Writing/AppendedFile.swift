import Foundation
import Streams

/// A file to whose end elements are written, and which is rotated and flushed.
final class AppendedFile: WrittenFile {
    private struct State {
        var file: any DiskFile
        var size: Int
        /// The number of the period that the file is for.
        var period: Int?
        /// The number of elements that were written, and of those that are on the disk.
        var written = 0
        var flushed = 0
        /// The failure of a flush that nobody waited for; the next element reports it.
        var failure: (any Error)?
    }

    private let location: URL
    private let rotation: FileRotation?
    private let flushing: FileFlushing
    private let disk: any Disk
    private let clock: any WallClock
    private let scheduler: any Scheduler
    private let state: Lock<State>
    private let timer = SerialDisposable()

    private init(
        _ location: URL, _ rotation: FileRotation?, _ flushing: FileFlushing, _ disk: any Disk, _ clock: any WallClock,
        _ scheduler: any Scheduler, _ file: any DiskFile
    ) {
        (self.location, self.rotation, self.flushing, self.disk) = (location, rotation, flushing, disk)
        (self.clock, self.scheduler) = (clock, scheduler)
        // A file that an earlier process has left is for the time at which that last wrote to it.
        let begin = file.initialSize > 0 ? file.modificationDate : clock.now
        state = Lock(State(file: file, size: file.initialSize, period: rotation?.period(of: begin)))
    }

    func close() { timer.dispose() }

    static func begin(
        _ location: URL, _ rotation: FileRotation?, _ flushing: FileFlushing, on disk: any Disk, _ clock: any WallClock,
        _ scheduler: any Scheduler
    ) -> Observable<any WrittenFile> {
        disk.open(location).asObservable().map { AppendedFile(location, rotation, flushing, disk, clock, scheduler, $0) }
    }

    func write(_ data: Data) -> Completable {
        .deferred { [self] in
            let state = state.withLock { $0 }
            if let failure = state.failure { throw failure }
            guard !state.file.hasItsName || isDue(data.count) else { return append(data) }
            let renewed: Completable = state.file.hasItsName ? .empty() : begin()
            let rotated = Completable.deferred { [self] in isDue(data.count) ? rotate() : .empty() }
            return .concat(renewed, rotated, .deferred { [self] in append(data) })
        }
    }

    func keep() -> Completable { flush() }

    func finish() -> Completable {
        .deferred { [self] in
            if let failure = state.withLock({ $0.failure }) { throw failure }
            return flush()
        }
    }

    private func append(_ data: Data) -> Completable {
        state.withLock { $0.file }.append(data).andThen(
            Completable.deferred { [self] in
                let isFirst = state.withLock { state in
                    (state.size, state.written) = (state.size + data.count, state.written + 1)
                    return state.written == state.flushed + 1
                }
                if isFirst, case .every(let limit) = flushing { scheduleFlush(after: limit) }
                return flushing == .each ? flush() : .empty()
            })
    }

    private func scheduleFlush(after limit: Duration) {
        timer.disposable = scheduler.schedule(after: limit) { [weak self] in self?.flushUnattended(limit) }
    }

    private func flushUnattended(_ limit: Duration) {
        timer.disposable = flush().subscribe(
            onCompleted: { [weak self] in
                // Elements that were written meanwhile have begun no timer.
                if let self, state.withLock({ $0.written > $0.flushed }) { scheduleFlush(after: limit) }
            },
            onError: { [weak self] error in self?.state.withLock { $0.failure = error } })
    }

    private func flush() -> Completable {
        .deferred { [self] in
            let state = state.withLock { $0 }
            guard state.written > state.flushed else { return .empty() }
            return state.file.flush().do(onCompleted: { [self] in self.state.withLock { $0.flushed = max($0.flushed, state.written) } })
        }
    }

    private func isDue(_ more: Int) -> Bool {
        let state = state.withLock { $0 }
        guard let rotation, state.size > 0 else { return false }
        if let size = rotation.size, state.size + more > size { return true }
        return rotation.period(of: clock.now) != state.period
    }

    /// Renames the file and those before it, the oldest one first, and begins a new one.
    private func rotate() -> Completable {
        guard let rotation else { return .empty() }
        let names = [location] + (0..<max(0, rotation.kept)).map { location.numbered($0 + 1) }
        let moves = zip(names, names.dropFirst()).reversed().map { [disk] old, new in disk.rename(old, to: new) }
        let steps = (moves.isEmpty ? [disk.remove(location)] : moves).map { step in
            step.catch { error in
                guard case SystemSourceError.notFound? = error as? SystemSourceError else { throw error }
                return .empty()
            }
        }
        return .concat([flush()] + steps + [begin()])
    }

    private func begin() -> Completable {
        let opened = disk.open(location).do(onSuccess: { [self] file in
            let period = rotation?.period(of: clock.now)
            state.withLock { ($0.file, $0.size, $0.period) = (file, file.initialSize, period) }
        })
        return flush().andThen(opened.asCompletable())
    }
}

extension URL {
    /// The name of a file that was rotated this many times.
    fileprivate func numbered(_ number: Int) -> URL {
        URL(filePath: "\(systemPath).\(number)", directoryHint: .notDirectory)
    }
}

extension FileRotation {
    /// The number of the period that a date is in; `nil` without periods.
    fileprivate func period(of date: Date) -> Int? {
        guard let seconds = period?.clamped.timeInterval, seconds > 0 else { return nil }
        return Int((date.timeIntervalSince1970 / seconds).rounded(.down))
    }
}
