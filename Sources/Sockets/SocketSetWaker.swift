internal import CStreamsSystem
import Foundation

extension SocketSet {
    /// Wakes the thread that waits on a set, from any thread. On Linux the waker is a counter that is never read, and each change of it is
    /// reported, so a wake-up is one system call; elsewhere it is a pipe.
    package struct Waker {
        /// The descriptor by which `wake` wakes the thread.
        package let inlet: Int32
        private let outlet: Int32

        /// Creates a waker that the set watches; returns `nil` if the process has no file descriptor left.
        package init?(of set: SocketSet) {
            #if os(Linux)
                inlet = streams_event()
                outlet = inlet
                guard inlet >= 0 else { return nil }
                var event = epoll_event()
                event.events = EPOLLIN.rawValue | EPOLLET.rawValue
                event.data.fd = outlet
                epoll_ctl(set.descriptor, EPOLL_CTL_ADD, outlet, &event)
            #else
                var ends: [Int32] = [-1, -1]
                guard streams_pipe(&ends) == 0 else { return nil }
                for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
                (outlet, inlet) = (ends[0], ends[1])
                set.watch(outlet, for: .read)
            #endif
        }

        /// Wakes the thread that waits on the set of this inlet. If it does not wait yet, its next wait ends at once.
        package static func wake(by inlet: Int32) {
            var number: UInt64 = 1
            write(inlet, &number, MemoryLayout<UInt64>.size)
        }

        /// Returns whether a ready descriptor belongs to this waker.
        package func accepts(_ descriptor: Int32) -> Bool {
            guard descriptor == outlet else { return false }
            #if !os(Linux)
                withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { bytes in
                    while read(outlet, bytes.baseAddress, bytes.count) == bytes.count {}
                }
            #endif
            return true
        }

        /// Closes the descriptors.
        package func close() {
            Foundation.close(outlet)
            if inlet != outlet { Foundation.close(inlet) }
        }
    }
}
