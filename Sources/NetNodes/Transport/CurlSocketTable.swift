import Dispatch
import Foundation

/// The sockets of an engine and what waits on them. Confined to the engine's queue.
///
/// A socket that was opened here is closed here, and only after Dispatch has let go of it: another socket would get the same number, and
/// Dispatch would take the one for the other. A socket that libcurl opens and closes by itself (its name resolver does) is waited on
/// through a duplicate.
final class CurlSocketTable {
    private var opened: Set<Int32> = []
    private var watches: [Int32: CurlSocketWatch] = [:]
    private var duplicates: [Int32: Int32] = [:]

    /// - Returns: a new socket, or -1.
    func open(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        #if os(Linux)
            let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        #else
            let descriptor = socket(family, type, protocolNumber)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
        if descriptor >= 0 { opened.insert(descriptor) }
        return descriptor
    }

    func watch(
        _ socket: Int32, _ interest: CurlSocketWatch.Interest, on queue: DispatchQueue,
        onReady: @escaping (CurlSocketWatch.Interest) -> Void
    ) {
        if let watch = watches[socket] { return watch.arm(interest) }
        guard let descriptor = watchableDescriptor(socket) else { return }
        let watch = CurlSocketWatch(descriptor: descriptor, queue: queue, onReady: onReady)
        watches[socket] = watch
        watch.arm(interest)
    }

    /// libcurl does not wait for this socket any more. A connection that is kept may be waited on again.
    func ignore(_ socket: Int32) {
        guard let duplicate = duplicates.removeValue(forKey: socket) else {
            watches[socket]?.arm([])
            return
        }
        watches.removeValue(forKey: socket)?.cancel { closeDescriptor(duplicate) }
    }

    func close(_ socket: Int32) {
        opened.remove(socket)
        guard let watch = watches.removeValue(forKey: socket) else { return closeDescriptor(socket) }
        watch.cancel { closeDescriptor(socket) }
    }

    func closeAll() {
        for socket in duplicates.keys { ignore(socket) }
        for socket in opened { close(socket) }
    }

    private func watchableDescriptor(_ socket: Int32) -> Int32? {
        guard !opened.contains(socket) else { return socket }
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        duplicates[socket] = duplicate
        return duplicate
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
