import Foundation
import Schedulers
import TestSupport
import Testing

/// In a process of its own, which opens nothing else meanwhile.
@Suite("Private descriptors")
struct PrivateDescriptorsTests {
    @Test(.startsChild) func `No program that is started meanwhile inherits a pipe, a copy, a socket or what it accepts`() async {
        await #expect(processExitsWith: .success) {
            let found = try OpenDescriptors.inheritable {
                for _ in 0..<5_000 {
                    let ends = try #require(PrivateDescriptors.pipe())
                    let opened = [ends.reading, ends.writing, PrivateDescriptors.copy(of: ends.reading)] + acceptedConnection()
                    #expect(opened.allSatisfy { $0 > STDERR_FILENO })
                    for descriptor in opened { close(descriptor) }
                }
            }
            #expect(found == [])
        }
    }

    @Test(.startsChild) func `Without descriptors left there is none, and the error says so`() async {
        await #expect(processExitsWith: .success) {
            try OpenDescriptors.limit(toSpare: 0)
            let pipe = PrivateDescriptors.pipe()
            let error = errno
            try OpenDescriptors.unlimit()
            #expect(pipe == nil)
            #expect(error == EMFILE)
        }
    }
}

/// The sockets of a connection to a server of this process, and the one that it listens on.
private func acceptedConnection() -> [Int32] {
    #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
    #else
        let stream = SOCK_STREAM
    #endif
    let (listener, client) = (PrivateDescriptors.socket(AF_INET, stream, 0), PrivateDescriptors.socket(AF_INET, stream, 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            guard bind(listener, address, size) == 0, listen(listener, 1) == 0, getsockname(listener, address, &size) == 0,
                connect(client, address, size) == 0
            else { return [-1] }
            return [listener, client, PrivateDescriptors.accept(listener)]
        }
    }
}
