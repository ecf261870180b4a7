import Foundation
import Schedulers
import Testing

@Suite("Sockets that have a path")
struct LocalSocketTests {
    private static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// A path in a folder that is there, of this many bytes.
    private static func path(of count: Int) -> String {
        let name = "/tmp/\(UInt64.random(in: 0 ... .max))-"
        return name + String(repeating: "x", count: count - name.utf8.count)
    }

    private static func with<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        let socket = LocalSocket.make()
        try #require(socket >= 0)
        defer { close(socket) }
        return try body(socket)
    }

    @Test func `A path of the greatest length is bound and connected to`() throws {
        let path = Self.path(of: Self.longest)
        try Self.with { listener in
            try #require(LocalSocket.bind(listener, to: path))
            defer { unlink(path) }
            try #require(listen(listener, 1) == 0)
            try Self.with { client in
                #expect(LocalSocket.connect(client, to: path))
                LocalSocket.send(Array("hello".utf8), to: client)
            }
            let accepted = PrivateDescriptors.accept(listener)
            defer { close(accepted) }
            var bytes = [UInt8](repeating: 0, count: 10)
            #expect(recv(accepted, &bytes, bytes.count, 0) == 5)
            // Its client has gone: no signal ends the process.
            for _ in 0..<2 { LocalSocket.send(bytes, to: accepted) }
        }
    }

    @Test func `A longer path is none of a socket, and nothing is created`() throws {
        let path = Self.path(of: Self.longest + 1)
        try Self.with { socket in
            #expect(!LocalSocket.bind(socket, to: path) && errno == ENAMETOOLONG)
            #expect(!LocalSocket.connect(socket, to: path) && errno == ENAMETOOLONG)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: String(path.dropLast())))
    }

    @Test func `Where nobody listens the error says so`() throws {
        let path = Self.path(of: 60)
        try Self.with { socket in
            #expect(!LocalSocket.connect(socket, to: path) && errno == ENOENT)
            try #require(LocalSocket.bind(socket, to: path))
            defer { unlink(path) }
            try Self.with { client in #expect(!LocalSocket.connect(client, to: path) && errno == ECONNREFUSED) }
        }
    }
}
