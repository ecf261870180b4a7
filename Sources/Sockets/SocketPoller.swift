package import Dispatch

/// Watches sockets through one system set and one Dispatch source on that set.
///
/// One Dispatch source per socket and direction does not work: libdispatch on Linux loses events of a socket whose descriptor was recently
/// in use, keeps firing write sources, and needs two thread switches for each change.
///
/// The poller is confined to `queue`, on which `onReady` runs.
package final class SocketPoller {
    private let set: SocketSet
    private let source: any DispatchSourceRead

    /// Creates a poller; returns `nil` if the process has no file descriptor left.
    ///
    /// - Parameters:
    ///   - onReady: called when a socket is ready; `forEachReady` tells which.
    ///   - onClosed: called once after `cancel()`, when the set is closed.
    package init?(queue: DispatchQueue, onReady: @escaping @Sendable () -> Void, onClosed: @escaping @Sendable () -> Void) {
        guard let set = SocketSet() else { return nil }
        self.set = set
        source = DispatchSource.makeReadSource(fileDescriptor: set.descriptor, queue: queue)
        source.setEventHandler(handler: onReady)
        source.setCancelHandler { [descriptor = set.descriptor] in
            SocketSet.close(descriptor)
            onClosed()
        }
        source.activate()
    }

    /// Closes the set; the sockets belong to their owners.
    package func cancel() {
        source.cancel()
    }

    /// Watches the socket for exactly this interest from now on; stops watching it if the interest is empty.
    package func watch(_ socket: Int32, for interest: SocketSet.Interest) {
        set.watch(socket, for: interest)
    }

    /// Calls `action` with each socket that is ready now, and with the kind of its readiness.
    package func forEachReady(_ action: (Int32, SocketSet.Interest) -> Void) {
        set.wait(nanoseconds: 0, action)
    }
}
