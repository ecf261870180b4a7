import Dispatch
import Foundation

/// Writes to a file descriptor without blocking its caller: a stopped terminal, or a pipe without a reader, blocks only a queue.
///
/// Source: [write(2)](https://man7.org/linux/man-pages/man2/write.2.html).
package final class TerminalOutput: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "terminal output")

    /// Creates an output to `descriptor`, which the caller closes. A process that writes to pipes must ignore `SIGPIPE`.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes the bytes after all earlier ones and then calls `done` on the main actor with `nil`, or with the `errno` of the failure.
    package func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Int32?) -> Void) {
        queue.async { [descriptor] in
            let failure = Self.writeAll(bytes, to: descriptor)
            DispatchQueue.main.async { done(failure) }
        }
    }

    /// Writes the pieces that `next` returns, after all earlier bytes, until it returns `nil`; a failure ends it and is reported to the
    /// main actor.
    ///
    /// `next` runs on the output's queue, and only when the previous piece has been written, so the whole output is never in memory.
    package func write<Piece: ContiguousBytes & Sendable>(
        pieces next: @escaping @Sendable () -> Piece?, failed: @escaping @MainActor @Sendable (Int32) -> Void
    ) {
        queue.async { [descriptor] in
            while let bytes = next() {
                guard let failure = Self.writeAll(bytes, to: descriptor) else { continue }
                return DispatchQueue.main.async { failed(failure) }
            }
        }
    }

    /// Writes the bytes on the calling thread, and waits for their reader however long that takes.
    /// - Returns: `nil`, or the `errno` of the failure.
    package func writeWaiting(_ bytes: [UInt8]) -> Int32? {
        Self.writeAll(bytes, to: descriptor)
    }

    /// Writes the bytes after all earlier ones and waits for that, for at most `limit`. It waits up to forty times as long while the reader
    /// takes bytes, because then this process is late, not the reader.
    /// - Returns: whether everything was written in time.
    @discardableResult
    package func finish(with bytes: [UInt8] = [], within limit: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let isWritten = Lock(false)
        queue.async { [descriptor] in
            // Written without the lock, which the caller takes when its patience ends.
            let isComplete = Self.writeAll(bytes, to: descriptor) == nil
            isWritten.withLock { $0 = isComplete }
            done.signal()
        }
        let (seconds, attoseconds) = limit.components
        for _ in 0..<Self.mostLimits {
            let result = done.wait(timeout: .now() + Double(seconds) + Double(attoseconds) / 1e18)
            guard result == .timedOut, takesBytes else { break }
        }
        return isWritten.withLock(\.self)
    }

    private var takesBytes: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLOUT) != 0
    }

    private static let mostLimits = 40

    private static func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                guard !TerminalModes.isOutputOver else { return ECANCELED }
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process has made the shared descriptor non-blocking.
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}
