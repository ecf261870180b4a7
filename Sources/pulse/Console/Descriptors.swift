import Foundation

/// The file descriptors available to this process.
enum Descriptors {
    /// Too few descriptors are available.
    struct Shortage: Error, CustomStringConvertible {
        let needed: Int
        let available: Int

        var description: String { "pulse: too few file descriptors: \(needed) needed, \(available) available (see ulimit -n)" }
    }

    /// Opens the null device for each closed standard descriptor: otherwise the next socket would get its number, and output would be sent
    /// to a server. The device is opened in the opposite mode, so that using the descriptor still fails.
    static func occupyStandardOnes() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Raises the limit as far as allowed, so that each endpoint can have a socket, and checks that enough descriptors are available to
    /// start.
    ///
    /// The main queue, timers and signals use descriptors of their own, and system libraries abort the process if they cannot get any.
    static func prepare() throws(Shortage) {
        raiseLimit()
        // A root folder for one program may have no devices.
        let opened = (0..<needed).map { _ in open("/", O_RDONLY | O_CLOEXEC) }.filter { $0 >= 0 }
        for descriptor in opened { close(descriptor) }
        guard opened.count == needed else { throw Shortage(needed: needed, available: opened.count) }
    }

    private static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < mostRaised else { return }
        limit.rlim_cur = min(limit.rlim_max, mostRaised)
        setrlimit(kind, &limit)
    }

    private static let needed = 32
    private static let mostRaised: rlim_t = 65_536
}
