import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A raw blocking socket with deadlines, which shows the bytes that a server really sends.
open class WireClient {
    public enum Failure: Error, Equatable {
        case cannotConnect(Int32)
        case deadline
        case reset
        case closed
        case system(Int32)
        case unreadable(String)
    }

    public struct Reply: Equatable {
        public var statusLine = ""
        public var headers: [(name: String, value: String)] = []
        public var body = Data()

        public static func == (left: Reply, right: Reply) -> Bool {
            left.statusLine == right.statusLine && left.body == right.body && left.headers.map(\.name) == right.headers.map(\.name)
                && left.headers.map(\.value) == right.headers.map(\.value)
        }

        public var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        public var text: String { String(decoding: body, as: UTF8.self) }
        public subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    private let descriptor: Int32
    private var isOpen = true
    private var unread = Data()

    public init(port: Int, receiveBufferBytes: Int32? = nil, deadline: Int = 300) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if var bytes = receiveBufferBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
        var limit = timeval(tv_sec: deadline, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard result == 0 else {
            let code = errno
            close()
            throw Failure.cannotConnect(code)
        }
    }

    deinit { close() }

    public func close() {
        guard isOpen else { return }
        isOpen = false
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// Closes with a reset in place of the ordinary end.
    public func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    public func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    public func send(_ text: String) throws { try send(Data(text.utf8)) }

    public func send(_ data: Data) throws {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                    Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
                #endif
            }
            // The process was stopped and continued.
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a GET, or another method, with the usual header.
    public func request(_ path: String, method: String = "GET", headers: [String] = [], body: String? = nil) throws {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Sends a request and reads its reply.
    public func ask(_ path: String, method: String = "GET", headers: [String] = [], body: String? = nil) throws -> Reply {
        try request(path, method: method, headers: headers, body: body)
        return try reply(hasBody: method != "HEAD")
    }

    /// Reads one reply, its body by length or in chunks.
    public func reply(hasBody: Bool = true) throws -> Reply {
        var reply = try head()
        guard hasBody, reply.status != 204, reply.status != 304, reply.status >= 200 else { return reply }
        if reply["Transfer-Encoding"] == "chunked" {
            while true {
                let chunk = try chunk()
                if chunk.isEmpty { return reply }
                reply.body += chunk
            }
        }
        if let length = reply["Content-Length"].flatMap(Int.init) {
            reply.body = try bytes(length)
        } else {
            reply.body = try rest()
        }
        return reply
    }

    public func head() throws -> Reply {
        var reply = Reply()
        reply.statusLine = try line()
        while case let line = try line(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw Failure.unreadable(line) }
            reply.headers.append((String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
        return reply
    }

    public func chunk() throws -> Data {
        let size = try line()
        guard let count = Int(size, radix: 16) else { throw Failure.unreadable(size) }
        let data = try bytes(count)
        guard try line().isEmpty else { throw Failure.unreadable("no line break after a chunk") }
        return data
    }

    public func line() throws -> String {
        while true {
            if let end = unread.firstRange(of: Data("\r\n".utf8)) {
                let line = unread[..<end.lowerBound]
                unread = Data(unread[end.upperBound...])
                return String(decoding: line, as: UTF8.self)
            }
            guard try receive() else { throw Failure.closed }
        }
    }

    public func bytes(_ count: Int) throws -> Data {
        while unread.count < count {
            guard try receive() else { throw Failure.closed }
        }
        defer { unread = Data(unread.dropFirst(count)) }
        return Data(unread.prefix(count))
    }

    /// Returns all bytes up to the end of the connection.
    public func rest() throws -> Data {
        while try receive() {}
        defer { unread = Data() }
        return unread
    }

    /// Waits until bytes or the end can be read; returns whether that happened within the time.
    public func hasInput(milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return !unread.isEmpty || poll(&poller, 1, milliseconds) > 0
    }

    /// Reads bytes in large pieces and drops them. Returns their number up to the end or the limit.
    public func skip(_ limit: Int = .max) throws -> Int {
        var count = unread.count
        unread = Data()
        while count < limit, try receive() {
            count += unread.count
            unread = Data()
        }
        return count
    }

    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var count = -1
        repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Self.failure(errno) }
        unread.append(contentsOf: buffer[..<count])
        return count > 0
    }

    private static func failure(_ code: Int32) -> Failure {
        switch code {
        case EAGAIN: .deadline
        case ECONNRESET, EPIPE: .reset
        default: .system(code)
        }
    }
}
