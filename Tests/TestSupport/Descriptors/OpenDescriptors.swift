import Dispatch
import Foundation

/// The descriptors of the running process.
public enum OpenDescriptors {
    #if os(Linux)
        private static let folder = "/proc/self/fd"
    #else
        private static let folder = "/dev/fd"
    #endif
    /// The descriptors that Dispatch and the runtime open and close at any time.
    private static let events = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]", "anon_inode:[timerfd]"]

    /// Returns the number of descriptors, without those of Dispatch.
    public static func count() throws -> Int {
        try numbers().count { !events.contains(target(of: $0)) }
    }

    /// Lets the process open `spare` more descriptors, whatever numbers are in use.
    public static func limit(toSpare spare: Int) throws {
        let used = Set(try numbers())
        var (limit, free) = (0, 0)
        while free < spare || limit < 3 {
            if !used.contains(limit) { free += 1 }
            limit += 1
        }
        try setLimit(limit)
    }

    /// Lets the process open as many descriptors as it needs.
    public static func unlimit() throws {
        try setLimit(1_024)
    }

    /// Lets the process map this many more bytes: 4 MB are enough for small values, and too few for a thread.
    public static func limitMemory(toSpare spare: Int) throws {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first.flatMap { Int($0) } ?? 0
        try setMemoryLimit(rlim_t(pages * Int(getpagesize()) + spare))
    }

    /// Lets the process map as much memory as it needs.
    public static func unlimitMemory() throws {
        try setMemoryLimit(rlim_t.max)
    }

    /// Makes Dispatch open its descriptors for timers and the main queue: it could not without free descriptors.
    public static func prepareDispatch() {
        DispatchQueue.main.async {}
        let fired = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { fired.signal() }
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { fired.signal() }
        for _ in 0..<2 { fired.wait() }
    }

    private static func numbers() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0) }
    }

    private static func target(of number: Int) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) ?? ""
    }

    private static func setMemoryLimit(_ bytes: rlim_t) throws {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #else
            let resource = RLIMIT_AS
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
        limit.rlim_cur = min(bytes, limit.rlim_max)
        guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    }

    private static func setLimit(_ count: Int) throws {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
        limit.rlim_cur = rlim_t(count)
        guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    }
}
