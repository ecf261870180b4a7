internal import CStreamsSystem
import Foundation

/// Ends a thread's wait for descriptors, from any other thread and from the handler of a signal.
///
/// On Linux it is a counter, which needs one descriptor; elsewhere it is a pipe. Its descriptors are closed with the last reference, so
/// whoever holds one can wake, and never writes to a descriptor that meanwhile belongs to something else.
///
/// Source: [eventfd(2)](https://man7.org/linux/man-pages/man2/eventfd.2.html).
package final class Waker: Sendable {
    /// The reason why a wait has ended.
    package enum Waiting: Equatable, Sendable {
        /// `wake` was called.
        case woken
        /// These descriptors are ready; errors and hang-ups make them ready, too. There are none when the time has passed, or a signal has
        /// arrived.
        case ready(Set<Int32>)
        /// The system does not wait, with this `errno`; the descriptor is one that is not open.
        case failed(code: Int32, descriptor: Int32? = nil)
    }

    #if os(Linux)
        /// The call that creates a waker, for an error that names it.
        package static let creation = "eventfd"
    #else
        package static let creation = "pipe"
    #endif

    /// The descriptor that is ready to read from `wake` to `clear`.
    package let outlet: Int32
    /// The descriptor by which `wake` wakes: for the handler of a signal, which must not touch references.
    let inlet: Int32

    /// Creates a waker; returns `nil`, and sets `errno`, if the process has no file descriptor left.
    package init?() {
        #if os(Linux)
            let event = streams_event()
            // Before the properties are set: otherwise `deinit` would run, and set another `errno`.
            guard event >= 0 else { return nil }
            (outlet, inlet) = (event, event)
        #else
            guard let ends = PrivateDescriptors.pipe() else { return nil }
            for end in [ends.reading, ends.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            (outlet, inlet) = ends
        #endif
    }

    deinit {
        close(outlet)
        if inlet != outlet { close(inlet) }
    }

    /// Ends the wait of the thread. If it does not wait yet, its next wait ends at once.
    package func wake() {
        Self.wake(by: inlet)
    }

    /// Wakes by the inlet of a waker. A full pipe has the same effect, and the counter is never full.
    static func wake(by inlet: Int32) {
        var number: UInt64 = 1
        _ = unsafe write(inlet, &number, MemoryLayout<UInt64>.size)
    }

    /// Lets the thread wait again.
    package func clear() {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { bytes in
            // The counter is read at once, and has 8 bytes.
            while unsafe read(outlet, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }

    /// Waits until one of the descriptors is ready, the waker is woken, or `timeout` has passed; `nil` waits indefinitely.
    package func wait(reading: some Sequence<Int32>, writing: some Sequence<Int32> = [], timeout: Duration? = nil) -> Waiting {
        var entries = [pollfd(fd: outlet, events: Int16(POLLIN), revents: 0)]
        for number in reading { entries.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0)) }
        for number in writing { entries.append(pollfd(fd: number, events: Int16(POLLOUT), revents: 0)) }
        // The limit is rounded up: a wait that ends early would be repeated without pause. A wait that is cut at 24 days is repeated.
        let limit = timeout.map { Int32(clamping: (min($0, .seconds(1 << 31)).nanoseconds + 999_999) / 1_000_000) } ?? -1
        let count = unsafe poll(&entries, nfds_t(entries.count), limit)
        guard count >= 0 || errno == EINTR else { return .failed(code: errno) }
        guard count > 0 else { return .ready([]) }
        guard entries[0].revents == 0 else {
            clear()
            return .woken
        }
        if let closed = entries.first(where: { $0.revents & Int16(POLLNVAL) != 0 }) { return .failed(code: EBADF, descriptor: closed.fd) }
        return .ready(Set(entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)))
    }
}
