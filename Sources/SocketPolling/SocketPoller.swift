package import Dispatch

/// Watches sockets through one set of the system's own and one Dispatch source on that set.
///
/// Not one Dispatch source a socket and direction: libdispatch on Linux loses events of a socket whose number was in use a moment ago, keeps
/// write sources firing, and needs two thread switches for each change.
///
/// Confined to `queue`, on which `onReady` runs.
package final class SocketPoller {
    private let set: SocketSet
    private let source: any DispatchSourceRead

    /// `nil` if the process has no descriptor left.
    ///
    /// - Parameters:
    ///   - onReady: called when a socket is ready: `forEachReady` says which.
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

    /// Lets go of the set; the sockets belong to others.
    package func cancel() {
        source.cancel()
    }

    /// Waits for this from now on, and for nothing else; for nothing at all if it is empty.
    package func watch(_ socket: Int32, for interest: SocketSet.Interest) {
        set.watch(socket, for: interest)
    }

    /// Calls `action` with each socket that is ready now, and for what.
    package func forEachReady(_ action: (Int32, SocketSet.Interest) -> Void) {
        set.wait(milliseconds: 0, action)
    }
}
