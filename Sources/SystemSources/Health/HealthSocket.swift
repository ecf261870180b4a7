import Foundation
import Streams

extension ServiceHealth {
    /// Answers everybody who connects to a Unix socket, while it is subscribed to: `alive` and `ready`, each on a line, and with `not` and the
    /// reasons if it is otherwise. Then it closes the connection.
    ///
    /// ```swift
    /// health.answer(on: URL(filePath: "/run/prices/health")).subscribe().disposed(by: bag)
    /// ```
    ///
    /// It waits for no client, on a thread of its own, so it answers also while all other threads are busy, and while other clients hang;
    /// one descriptor is kept for the time when the process has no other left. The socket belongs to its user only. One that a process has
    /// left behind is replaced; anything else at the path stays, and is an error. Disposing removes the socket.
    ///
    /// Fails with a ``SystemSourceError``: `notFound` for the folder, `notPermitted`, `outOfResources`, and `failed` with `EADDRINUSE` if
    /// something is at the path, and with `ENAMETOOLONG` if no socket can have it.
    /// Source: [unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html).
    public func answer(on socket: URL) -> Completable {
        Observable<Never>.onThread { [self] thread in
            let listener = try HealthListener(socket.systemPath)
            thread.lifetime.add { listener.removeName() }
            while !thread.isDisposed {
                let ready = try thread.wait(reading: [listener.number])
                guard ready.contains(listener.number), !listener.answer(answers) else { continue }
                // Without a descriptor the client stays in the queue, and the thread would not sleep.
                try thread.wait(timeout: .milliseconds(100))
            }
        }.asCompletable()
    }

    /// Asks the service that answers on a socket, as a probe of a container does that runs the service's own program.
    ///
    /// ```swift
    /// let report = try await ServiceHealth.ask(.readiness, at: URL(filePath: "/run/prices/health")).value
    /// exit(report.isHealthy ? 0 : 1)
    /// ```
    ///
    /// Fails with `StreamError.timeout` if there is no answer in time, and with a ``SystemSourceError``: `notFound`, `notPermitted`,
    /// `outOfResources`, and `failed` with `ECONNREFUSED` if the service has ended, and with `EBADMSG` if the answer is another one.
    public static func ask(
        _ probe: Probe, at socket: URL, within limit: Duration = .seconds(1),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .utility)
    ) -> Single<Report> {
        Observable.onThread { thread in
            let path = socket.systemPath
            let text = try answer(at: path, thread)
            guard !thread.isDisposed else { return }
            guard let report = Report(probe, in: text) else { throw SystemSourceError("read", path: path, code: EBADMSG) }
            thread.emit(report)
        }.timeout(limit, scheduler: scheduler).asSingle()
    }

    private static func answer(at path: String, _ thread: SourceThread<Report>) throws -> String {
        let client = try Descriptor.localSocket()
        client.setNonBlocking()
        while !LocalSocket.connect(client.number, to: path) {
            // The queue of the service is full.
            guard errno == EAGAIN, !thread.isDisposed else { throw SystemSourceError("connect", path: path) }
            try thread.wait(timeout: .milliseconds(10))
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !thread.isDisposed {
            guard try !thread.wait(reading: [client.number]).isEmpty else { continue }
            let reading = try buffer.withUnsafeMutableBytes { try client.read(into: $0, path: path) }
            guard case .bytes(let count) = reading, answer.count < 65_536 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}

extension ServiceHealth.Report {
    /// Finds the answer to a probe among the lines of a service.
    fileprivate init?(_ probe: ServiceHealth.Probe, in text: String) {
        let failing = "not \(probe.word): "
        for line in text.split(separator: "\n") {
            if line == probe.word {
                self.init(probe: probe, problems: [])
                return
            }
            if line.hasPrefix(failing) {
                self.init(probe: probe, problems: line.dropFirst(failing.count).split(separator: "; ").map(String.init))
                return
            }
        }
        return nil
    }
}

/// A Unix socket on which a service answers.
private final class HealthListener: Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let name: (device: dev_t, number: ino_t)
    /// The descriptor that is given up when a client needs it.
    private let spare: Lock<Descriptor?>
    private let hasName = Lock(true)

    init(_ path: String) throws(SystemSourceError) {
        self.path = path
        descriptor = try Descriptor.localSocket()
        descriptor.setNonBlocking()
        try Self.bind(descriptor.number, to: path)
        var status = stat()
        lstat(path, &status)
        name = (status.st_dev, status.st_ino)
        spare = Lock(try? Descriptor(opening: "/dev/null"))
        guard chmod(path, 0o600) == 0, listen(descriptor.number, SOMAXCONN) == 0 else { throw SystemSourceError("listen", path: path) }
    }

    deinit { removeName() }

    var number: Int32 { descriptor.number }

    private static func bind(_ number: Int32, to path: String) throws(SystemSourceError) {
        if LocalSocket.bind(number, to: path) { return }
        if errno == EADDRINUSE, isAbandoned(path) {
            unlink(path)
            if LocalSocket.bind(number, to: path) { return }
        }
        let code = errno
        throw SystemSourceError("bind", path: code == ENOENT ? URL(filePath: path).folder.path : path, code: code)
    }

    /// Whether there is a socket on which nobody listens any more.
    private static func isAbandoned(_ path: String) -> Bool {
        defer { errno = EADDRINUSE }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        guard let client = try? Descriptor.localSocket() else { return false }
        client.setNonBlocking()
        return !LocalSocket.connect(client.number, to: path) && errno == ECONNREFUSED
    }

    /// Answers a client that waits. Returns `false` if the process has no descriptor for it.
    func answer(_ text: String) -> Bool {
        var client = PrivateDescriptors.accept(number)
        if client < 0, [EMFILE, ENFILE].contains(errno) {
            spare.withLock { $0 = nil }
            client = PrivateDescriptors.accept(number)
            guard client >= 0 else { return false }
        }
        // Otherwise the client has gone.
        guard client >= 0 else { return true }
        LocalSocket.send(Array(text.utf8), to: client)
        close(client)
        spare.withLock { if $0 == nil { $0 = try? Descriptor(opening: "/dev/null") } }
        return true
    }

    /// Removes the socket from its folder, unless another one has taken its place. Idempotent.
    func removeName() {
        hasName.withLock { hasName in
            guard hasName else { return }
            hasName = false
            var status = stat()
            guard lstat(path, &status) == 0, status.st_dev == name.device, status.st_ino == name.number else { return }
            unlink(path)
        }
    }
}
