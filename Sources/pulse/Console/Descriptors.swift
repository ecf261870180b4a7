import Foundation

/// The file descriptors that the system lets this process have.
enum Descriptors {
    /// There are too few for the program to work with.
    struct Shortage: Error, CustomStringConvertible {
        let needed: Int
        let available: Int

        var description: String { "pulse: too few file descriptors: \(needed) are needed, \(available) are available (see ulimit -n)" }
    }

    /// Opens the null device in the place of each standard descriptor that is closed: the next socket would take its number, and what is
    /// printed would go to a server. The wrong way round, so that using one still fails.
    static func occupyStandardOnes() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Raises the limit as far as the process may, for a socket an endpoint, and makes sure that there is enough to start with.
    ///
    /// Main queue, timers and signals have descriptors of their own, and the system's libraries stop the process where they get none.
    static func prepare() throws(Shortage) {
        raiseLimit()
        let opened = (0..<needed).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }.filter { $0 >= 0 }
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
