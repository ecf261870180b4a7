internal import CSocketPolling
package import Dispatch
import Foundation

/// Watches sockets for exactly what is asked, through one set of the system's own (epoll, or kqueue) and one Dispatch source on that set.
///
/// Not one Dispatch source a socket and direction: libdispatch on Linux loses events of a socket whose number was in use a moment ago, keeps
/// write sources firing, and needs two thread switches for each change. A set of its own forgets a socket by itself when that is closed.
///
/// Confined to `queue`, on which `onReady` runs.
package final class SocketPoller {
    /// What a socket is waited on for, and what it is ready for.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: Int32
        package static let read = Interest(rawValue: 1)
        package static let write = Interest(rawValue: 2)

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    private static let batchSize = 64

    private let set: Int32
    private let source: any DispatchSourceRead
    private let events = UnsafeMutableBufferPointer<SystemEvent>.allocate(capacity: batchSize)

    /// - Parameters:
    ///   - onReady: called when a socket is ready: `forEachReady` says which.
    ///   - onClosed: called once after `cancel()`, when the set is closed.
    package init(queue: DispatchQueue, onReady: @escaping @Sendable () -> Void, onClosed: @escaping @Sendable () -> Void = {}) {
        let set = SocketPoller.makeSet()
        self.set = set
        source = DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
        source.setEventHandler(handler: onReady)
        source.setCancelHandler {
            close(set)
            onClosed()
        }
        source.activate()
    }

    deinit { events.deallocate() }

    /// Lets go of the set; the sockets belong to others.
    package func cancel() {
        source.cancel()
    }
}

#if canImport(Darwin)
    private typealias SystemEvent = kevent

    extension SocketPoller {
        private static func makeSet() -> Int32 {
            kqueue()
        }

        /// Waits for this from now on, and for nothing else; for nothing at all if it is empty.
        package func watch(_ socket: Int32, for interest: Interest) {
            change(socket, EVFILT_READ, isWanted: interest.contains(.read))
            change(socket, EVFILT_WRITE, isWanted: interest.contains(.write))
        }

        private func change(_ socket: Int32, _ filter: Int32, isWanted: Bool) {
            var event = kevent(
                ident: UInt(socket), filter: Int16(filter), flags: UInt16(isWanted ? EV_ADD : EV_DELETE), fflags: 0, data: 0, udata: nil)
            _ = kevent(set, &event, 1, nil, 0, nil)
        }

        /// Calls `action` with each socket that is ready now, and for what.
        package func forEachReady(_ action: (Int32, Interest) -> Void) {
            var noTime = timespec()
            let count = kevent(set, nil, 0, events.baseAddress, Int32(events.count), &noTime)
            for index in 0..<Int(max(0, count)) {
                action(Int32(events[index].ident), events[index].filter == EVFILT_READ ? .read : .write)
            }
        }
    }
#else
    private typealias SystemEvent = epoll_event

    extension SocketPoller {
        private static func makeSet() -> Int32 {
            epoll_create1(Int32(EPOLL_CLOEXEC))
        }

        /// Waits for this from now on, and for nothing else; for nothing at all if it is empty.
        package func watch(_ socket: Int32, for interest: Interest) {
            guard !interest.isEmpty else {
                epoll_ctl(set, EPOLL_CTL_DEL, socket, nil)
                return
            }
            var event = epoll_event()
            event.events = (interest.contains(.read) ? EPOLLIN.rawValue : 0) | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
            event.data.fd = socket
            if epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) != 0, errno == ENOENT { epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) }
        }

        /// Calls `action` with each socket that is ready now, and for what; a broken one is ready for everything.
        package func forEachReady(_ action: (Int32, Interest) -> Void) {
            let count = epoll_wait(set, events.baseAddress, Int32(events.count), 0)
            let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
            for index in 0..<Int(max(0, count)) {
                let event = events[index]
                var interest: Interest = []
                if event.events & (EPOLLIN.rawValue | broken) != 0 { interest.insert(.read) }
                if event.events & (EPOLLOUT.rawValue | broken) != 0 { interest.insert(.write) }
                action(event.data.fd, interest)
            }
        }
    }
#endif
