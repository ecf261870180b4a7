internal import CLibcurl
import Dispatch
import Foundation

/// Watches sockets for exactly what is asked, through one set of the system's own (epoll, or kqueue) and one Dispatch source on that set.
///
/// Not one Dispatch source a socket and direction: libdispatch on Linux loses events of a socket whose number was in use a moment ago, keeps
/// write sources firing, and needs two thread switches for each change. A set of its own forgets a socket by itself when that is closed.
///
/// Confined to `queue`, on which `onReady` runs.
final class SocketPoller {
    /// What a socket is waited on for, and what it is ready for.
    struct Interest: OptionSet {
        let rawValue: Int32
        static let read = Interest(rawValue: 1)
        static let write = Interest(rawValue: 2)
    }

    private static let batchSize = 64

    private let set: Int32
    private let source: any DispatchSourceRead

    init(queue: DispatchQueue, onReady: @escaping () -> Void) {
        let set = SocketPoller.makeSet()
        self.set = set
        source = DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
        source.setEventHandler(handler: ConfinedAction(onReady).run)
        source.setCancelHandler { close(set) }
        source.activate()
    }

    /// Lets go of the set; the sockets belong to others.
    func cancel() {
        source.cancel()
    }
}

#if canImport(Darwin)
    extension SocketPoller {
        private static func makeSet() -> Int32 {
            kqueue()
        }

        /// Waits for this from now on, and for nothing else; for nothing at all if it is empty.
        func watch(_ socket: Int32, for interest: Interest) {
            change(socket, EVFILT_READ, isWanted: interest.contains(.read))
            change(socket, EVFILT_WRITE, isWanted: interest.contains(.write))
        }

        private func change(_ socket: Int32, _ filter: Int32, isWanted: Bool) {
            var event = kevent(
                ident: UInt(socket), filter: Int16(filter), flags: UInt16(isWanted ? EV_ADD : EV_DELETE), fflags: 0, data: 0, udata: nil)
            _ = kevent(set, &event, 1, nil, 0, nil)
        }

        /// The sockets that are ready now, and for what.
        func ready() -> [(socket: Int32, interest: Interest)] {
            var events = [kevent](repeating: kevent(), count: Self.batchSize)
            var noTime = timespec()
            let count = kevent(set, nil, 0, &events, Int32(events.count), &noTime)
            return events.prefix(Int(max(0, count))).map { (Int32($0.ident), $0.filter == EVFILT_READ ? .read : .write) }
        }
    }
#else
    extension SocketPoller {
        private static func makeSet() -> Int32 {
            epoll_create1(Int32(EPOLL_CLOEXEC))
        }

        /// Waits for this from now on, and for nothing else; for nothing at all if it is empty.
        func watch(_ socket: Int32, for interest: Interest) {
            guard !interest.isEmpty else {
                epoll_ctl(set, EPOLL_CTL_DEL, socket, nil)
                return
            }
            var event = epoll_event()
            event.events = (interest.contains(.read) ? EPOLLIN.rawValue : 0) | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
            event.data.fd = socket
            if epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) != 0, errno == ENOENT { epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) }
        }

        /// The sockets that are ready now, and for what; a broken one is ready for everything.
        func ready() -> [(socket: Int32, interest: Interest)] {
            var events = [epoll_event](repeating: epoll_event(), count: Self.batchSize)
            let count = epoll_wait(set, &events, Int32(events.count), 0)
            let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
            return events.prefix(Int(max(0, count))).map { event in
                var interest: Interest = []
                if event.events & (EPOLLIN.rawValue | broken) != 0 { interest.insert(.read) }
                if event.events & (EPOLLOUT.rawValue | broken) != 0 { interest.insert(.write) }
                return (event.data.fd, interest)
            }
        }
    }
#endif
