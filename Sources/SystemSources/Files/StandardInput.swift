import Foundation

extension Observable where Element == String {
    /// Emits the lines of standard input, and completes at its end.
    ///
    /// ```swift
    /// for try await line in Observable.standardInputLines().values { print(line.uppercased()) }
    /// // --a--b--c|
    /// ```
    ///
    /// Nothing is read before a subscription, nor while the observer works or the consumer is suspended. A subscription reads when earlier
    /// ones have ended, and receives the bytes that they have read but not emitted: `take(1)` takes one line of the input. If several
    /// observers need the same lines, use `share()`. The descriptor is neither closed nor made non-blocking: other programs on the terminal
    /// would notice.
    ///
    /// Fails with a ``SystemSourceError`` like ``lines(of:_:on:)``.
    /// Source: [POSIX, stdin](https://pubs.opengroup.org/onlinepubs/9699919799/functions/stdin.html).
    public static func standardInputLines(_ options: LineOptions = LineOptions()) -> Observable<String> {
        StandardInput.shared.lines(options)
    }
}

/// An input of the process that subscriptions read one after the other.
final class StandardInput: Sendable {
    static let shared = StandardInput(STDIN_FILENO)

    private struct State {
        /// Whether a subscription is reading.
        var isTaken = false
        /// The bytes that were read and not emitted.
        var unread: [UInt8] = []
        /// Each waker to be woken when no subscription reads any more.
        var waiting: [Waker] = []
    }

    private let number: Int32
    private let state = Lock(State())

    init(_ number: Int32) {
        self.number = number
    }

    func lines(_ options: LineOptions) -> Observable<String> {
        .onThread { [self] thread in
            guard let unread = try take(thread) else { return }
            var reader = LineReader(thread, path: "standard input", options)
            defer { release(thread.isDisposed ? reader.unread : []) }
            try unread.withUnsafeBytes { bytes in try reader.consume(bytes) }
            while try thread.untilMayEmit() {
                // The descriptor may block, and other programs may read it: it is read only when it is ready, and at once.
                let isReady = try !thread.wait(reading: [number]).isEmpty
                guard isReady, thread.lifetime.mayEmit, try reader.read(number) == .end else { continue }
                return try reader.finish()
            }
        }
    }

    /// Waits until no other subscription reads. Returns the bytes that those have left, or `nil` if the subscription is disposed meanwhile.
    private func take(_ thread: SourceThread<String>) throws -> [UInt8]? {
        while !thread.isDisposed {
            let unread = state.withLock { state -> [UInt8]? in
                guard !state.isTaken else {
                    state.waiting.append(thread.waker)
                    return nil
                }
                state.isTaken = true
                defer { state.unread = [] }
                return state.unread
            }
            if let unread { return unread }
            try thread.wait()
            state.withLock { $0.waiting.removeAll { $0 === thread.waker } }
        }
        return nil
    }

    private func release(_ unread: [UInt8]) {
        let waiting = state.withLock { state in
            state.isTaken = false
            state.unread = unread
            defer { state.waiting = [] }
            return state.waiting
        }
        for waker in waiting { waker.wake() }
    }
}
