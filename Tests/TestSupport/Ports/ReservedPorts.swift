import Foundation
import Synchronization

/// Ports of the loopback address that no other server of the tests gets by chance: before its own server listens, between two of its lives,
/// or while a test relies on nobody listening. The system chooses ports above these, and a process gets each of them once.
public enum ReservedPorts {
    private static let range = 20_000..<32_000
    /// The next port, which begins at another number in each process.
    private static let given = Atomic(Int.random(in: range))

    /// Returns a port that nobody uses.
    public static func next() throws -> Int {
        for _ in range {
            let port = range.lowerBound + given.add(1, ordering: .relaxed).oldValue % range.count
            if isFree(port) { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
