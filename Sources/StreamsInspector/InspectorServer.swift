import CInspector
import Foundation
import Streams

/// Serves snapshots on a local socket, with one thread that waits for all clients.
enum InspectorServer {
    /// A running server: its file, what tells its thread to stop, and the process in which that runs, which may have forked since.
    private struct Running {
        let path: String
        let stop: Waker
        let process = getpid()
    }

    private static let running = Lock<Running?>(nil)
    /// Removes the file when the program exits.
    private static let removesAtExit: Void = { _ = atexit { InspectorServer.stop() } }()

    static var path: String? { running.withLock { $0?.path } }

    /// Creates the socket and starts the thread, unless it is running.
    static func start(at path: String?, _ streams: InspectedStreams, patience: InspectorLoop.Patience = InspectorLoop.Patience()) throws {
        guard self.path == nil else { return }
        let path = try path ?? makePath()
        // The path has no slash at its end: with one, the target of a symbolic link would be checked.
        try InspectorSocket.checkDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        let listener = try makeListener(at: path)
        guard let stop = Waker() else {
            remove(path, listener)
            throw InspectorSocket.failure("the process has no file descriptor left")
        }
        let isFirst = running.withLock { running in
            guard running == nil else { return false }
            running = Running(path: path, stop: stop)
            return true
        }
        let error =
            isFirst ? SystemThread.start(named: "inspector") { InspectorLoop(listener, until: stop, streams, patience: patience).run() } : 0
        guard isFirst, error == 0 else {
            if isFirst { running.withLock { $0 = nil } }
            remove(path, listener)
            if error != 0 { throw InspectorSocket.failure("no thread can be started: error \(error)") }
            return
        }
        _ = removesAtExit
    }

    /// Removes the socket and ends the thread; answers that are being sent are cut off. Has no effect in a fork, where the thread is missing:
    /// the socket and the waker are those of the process that serves them.
    static func stop() {
        guard let ended = running.withLock({ $0?.process == getpid() ? $0.take() : nil }) else { return }
        unlink(ended.path)
        ended.stop.wake()
    }

    /// Returns a path in the directory of this user, which is created if there is none, and removes the sockets of dead processes.
    private static func makePath() throws -> String {
        let directory = InspectorSocket.directory
        mkdir(directory, 0o700)
        try InspectorSocket.checkDirectory(directory)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard let process = InspectorSocket.process(ofSocketNamed: name) else { continue }
            // An earlier process had the number of this one.
            guard process == getpid() || !InspectorSocket.isRunning(process) else { continue }
            unlink("\(directory)/\(name)")
        }
        return "\(directory)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16)).sock"
    }

    private static func makeListener(at path: String) throws -> Int32 {
        let descriptor = try InspectorSocket.make()
        guard LocalSocket.bind(descriptor, to: path) else {
            let error = errno
            close(descriptor)
            throw InspectorSocket.failure("\(path) cannot be created: \(String(cString: strerror(error)))")
        }
        chmod(path, 0o600)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        guard listen(descriptor, 16) == 0 else {
            let error = errno
            remove(path, descriptor)
            throw InspectorSocket.failure("\(path) cannot be served: error \(error)")
        }
        return descriptor
    }

    private static func remove(_ path: String, _ descriptor: Int32) {
        unlink(path)
        close(descriptor)
    }
}
