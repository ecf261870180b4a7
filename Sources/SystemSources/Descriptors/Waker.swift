import Foundation

/// Ends a thread's wait for descriptors, from any thread.
final class Waker: Sendable {
    private let reading: Descriptor
    private let writing: Descriptor

    init() throws(SystemSourceError) {
        (reading, writing) = try Descriptor.pipe()
        reading.setNonBlocking()
        writing.setNonBlocking()
    }

    /// Makes the current or the next `wait` return. A full pipe has the same effect.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writing.number, &byte, 1)
    }

    /// Waits until one of `descriptors` is ready, the waker is woken, or `timeout` has passed; `nil` waits indefinitely.
    ///
    /// - Returns: the descriptors that are ready; errors and hang-ups make them ready too.
    func wait(reading descriptors: [Int32], writing outlets: [Int32] = [], timeout: Duration? = nil) throws(SystemSourceError) -> Set<Int32>
    {
        var entries = [pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)]
        for number in descriptors { entries.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0)) }
        for number in outlets { entries.append(pollfd(fd: number, events: Int16(POLLOUT), revents: 0)) }
        // The limit is rounded up: a wait that ends early would be repeated without pause. A wait that is cut at 24 days is repeated.
        let limit = timeout.map { Int32(clamping: (min($0, .seconds(1 << 31)).nanoseconds + 999_999) / 1_000_000) } ?? -1
        let count = poll(&entries, nfds_t(entries.count), limit)
        guard count >= 0 || errno == EINTR else { throw SystemSourceError("poll") }
        guard count > 0 else { return [] }
        if entries[0].revents != 0 { drain() }
        if let closed = entries.first(where: { $0.revents & Int16(POLLNVAL) != 0 }) {
            throw SystemSourceError("poll", path: "descriptor \(closed.fd)", code: EBADF)
        }
        return Set(entries.dropFirst().filter { $0.revents != 0 }.map(\.fd))
    }

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while case .bytes? = try? reading.read(into: buffer) {}
        }
    }
}
