import Foundation

/// A file to whose end elements are written, and which is rotated and flushed.
final class AppendedFile: WrittenFile {
    private struct State {
        var output: OutputFile
        /// The number of the period that the file is for.
        var period: Int?
        var isFlushed = true
        /// The failure of a flush that nobody waited for; the next element reports it.
        var failure: SystemSourceError?
    }

    private let path: String
    private let rotation: FileRotation?
    private let flushing: FileFlushing
    private let clock: any WallClock
    private let scheduler: any Scheduler
    private let state: Lock<State>
    private let timer = SerialDisposable()

    init(
        _ path: String, _ rotation: FileRotation?, _ flushing: FileFlushing, _ clock: any WallClock, _ scheduler: any Scheduler
    ) throws(SystemSourceError) {
        (self.path, self.rotation, self.flushing, self.clock, self.scheduler) = (path, rotation, flushing, clock, scheduler)
        let output = try OutputFile(appendingTo: path)
        // A file that an earlier process has left is for the time at which that last wrote to it.
        let begin = output.size > 0 ? output.modificationDate : clock.now
        state = Lock(State(output: output, period: rotation?.period(of: begin)))
    }

    deinit { timer.dispose() }

    func write(_ data: Data) throws {
        let begins = try state.withLock { state -> Bool in
            if let failure = state.failure { throw failure }
            if !state.output.isNamed(path) { try begin(&state) }
            if isDue(state, data.count) { try rotate(&state) }
            try state.output.write(data)
            let begins = state.isFlushed
            state.isFlushed = false
            if flushing == .each { try flush(&state) }
            return begins
        }
        guard begins, case .every(let limit) = flushing else { return }
        timer.disposable = scheduler.schedule(after: limit) { [weak self] in self?.flushUnattended() }
    }

    func keep() throws {
        try state.withLock { try flush(&$0) }
    }

    func finish() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            try flush(&state)
        }
    }

    private func flushUnattended() {
        state.withLock { state in
            do throws(SystemSourceError) { try flush(&state) } catch { state.failure = error }
        }
    }

    private func flush(_ state: inout State) throws(SystemSourceError) {
        guard !state.isFlushed else { return }
        try state.output.flush()
        state.isFlushed = true
    }

    private func isDue(_ state: State, _ more: Int) -> Bool {
        guard let rotation, state.output.size > 0 else { return false }
        if let size = rotation.size, state.output.size + more > size { return true }
        return rotation.period(of: clock.now) != state.period
    }

    /// Renames the file and those before it, the oldest one first, and begins a new one.
    private func rotate(_ state: inout State) throws(SystemSourceError) {
        guard let rotation else { return }
        try flush(&state)
        let names = [path] + (0..<max(0, rotation.kept)).map { "\(path).\($0 + 1)" }
        if names.count == 1 { unlink(path) }
        for (old, new) in zip(names, names.dropFirst()).reversed() where rename(old, new) != 0 && errno != ENOENT {
            throw SystemSourceError(writing: "rename", path: old)
        }
        try begin(&state)
    }

    private func begin(_ state: inout State) throws(SystemSourceError) {
        try flush(&state)
        state.output = try OutputFile(appendingTo: path)
        state.period = rotation?.period(of: clock.now)
    }
}

extension FileRotation {
    /// The number of the period that a date is in; `nil` without periods.
    fileprivate func period(of date: Date) -> Int? {
        guard let seconds = period?.clamped.timeInterval, seconds > 0 else { return nil }
        return Int((date.timeIntervalSince1970 / seconds).rounded(.down))
    }
}
