import Foundation
import Synchronization

/// A server on the loopback address that runs a script on each connection: for answers that no proper server gives.
public final class ScriptedServer: Sendable {
    public typealias Script = @Sendable (Connection) -> Void

    public let port: UInt16
    private let listener: Int32
    private let accepted: Counter

    /// - Parameter script: runs on a thread of its own for each connection, which is closed when it returns.
    public convenience init(_ script: @escaping Script) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 512) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        self.init(listener, port: UInt16(bigEndian: address.sin_port), script)
    }

    /// A server at a Unix socket, whose path is new.
    public convenience init(unixSocket path: String, _ script: @escaping Script) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 512) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        self.init(listener, port: 0, script)
    }

    private init(_ listener: Int32, port: UInt16, _ script: @escaping Script) {
        let accepted = Counter()
        (self.listener, self.port, self.accepted) = (listener, port, accepted)
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    close(listener)
                    return
                }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                accepted.increment()
                Thread.detachNewThread {
                    let connection = Connection(descriptor)
                    script(connection)
                    connection.close()
                }
            }
        }
    }

    /// The thread that accepts closes the socket: its number must not be used again while that thread still waits on it.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Answers each request on a connection with the same text.
    public static func answering(_ response: String) throws -> ScriptedServer {
        try answering { connection, _ in connection.send(response) }
    }

    /// Runs a script for each request on a connection, one after the other.
    public static func answering(_ script: @escaping @Sendable (Connection, Connection.Request) -> Void) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = connection.readRequest() { script(connection, request) }
        }
    }

    public var connectionCount: Int { accepted.value }

    public func url(_ path: String = "/") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }
}

/// One accepted connection. Used by the thread of its script only.
public final class Connection {
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    public struct Request: Sendable, Equatable {
        public var line = ""
        public var headers: [String: String] = [:]
        public var body = ""
    }

    /// The next request, or nil when the client has closed.
    public func readRequest() -> Request? {
        guard let head = readHead() else { return nil }
        let lines = head.components(separatedBy: "\r\n")
        var request = Request(line: lines[0])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            request.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let length = Int(request.headers["content-length"] ?? "") ?? 0
        while buffer.count < length {
            guard fill() else { return nil }
        }
        request.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return request
    }

    /// The next request's head, or nil when the client has closed.
    public func readHead() -> String? {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<end.upperBound)
                return head
            }
            guard fill() else { return nil }
        }
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16384)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }

    /// The next bytes as they come, or nil when the client has closed.
    public func readAvailable() -> [UInt8]? {
        guard !buffer.isEmpty || fill() else { return nil }
        defer { buffer.removeAll() }
        return buffer
    }

    /// Reads a request to its end without keeping its body.
    ///
    /// - Returns: the length of the body, or nil when the client has closed before.
    public func countBody() -> Int? {
        readHead().flatMap(countBody)
    }

    /// Reads the body that follows a head, without keeping it.
    ///
    /// - Returns: its length, or nil when the client has closed before.
    public func countBody(after head: String) -> Int? {
        let lengths = head.components(separatedBy: "\r\n").compactMap { $0.lowercased().split(separator: "content-length: ").last }
        let length = lengths.compactMap { Int($0) }.first ?? 0
        var count = buffer.count
        var chunk = [UInt8](repeating: 0, count: 65536)
        while count < length {
            let read = read(descriptor, &chunk, chunk.count)
            guard read > 0 else { return nil }
            count += read
        }
        buffer.removeAll()
        return count
    }

    /// Reads so many bytes at least, of whatever is sent, and leaves the rest.
    public func readSome(_ count: Int) {
        while buffer.count < count, fill() {}
        buffer.removeAll()
    }

    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    public func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until all that was sent, the end included, has arrived at the client's side, whether the client reads it or not.
    ///
    /// - Returns: whether it has within ten minutes.
    public func waitForArrival() -> Bool {
        comesTrue {
            var unacknowledged: Int32 = 0
            return ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) != 0 || unacknowledged == 0
        }
    }

    /// Waits until the client closes the connection, whatever it may have sent before.
    ///
    /// - Returns: whether it did within the time.
    public func waitForClose(milliseconds: Int32 = 300_000) -> Bool {
        let peerHasClosed = Int16(0x2000)
        var poller = pollfd(fd: descriptor, events: peerHasClosed, revents: 0)
        return poll(&poller, 1, milliseconds) > 0
    }

    /// Sends the end, and still reads.
    public func sendEnd() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes so that the client gets a reset.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    public func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }
}

/// A number that any thread may count up.
public final class Counter: Sendable {
    /// Begins with 0.
    public init() {}

    private let count = Atomic(0)

    public var value: Int { count.load(ordering: .acquiring) }

    /// Returns the new value.
    @discardableResult
    public func increment() -> Int {
        count.add(1, ordering: .acquiringAndReleasing).newValue
    }
}
