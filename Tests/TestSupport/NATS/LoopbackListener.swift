import Foundation

#if canImport(Glibc)
    import Glibc
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#else
    import Darwin
    private let streamType = SOCK_STREAM
    private let sendFlags: Int32 = 0
#endif

/// Accepts connections on the loopback address, each in a thread of its own.
public final class LoopbackListener: @unchecked Sendable {
    public let port: Int
    private let descriptor: Int32
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var connections: [LoopbackConnection] = []
    private var isClosed = false

    /// - Parameter handle: runs in the connection's thread; the connection is closed when it returns.
    public init(_ handle: @escaping @Sendable (_ number: Int, LoopbackConnection) -> Void) throws {
        let (descriptor, port) = try Self.listen()
        (self.descriptor, self.port) = (descriptor, port)
        Thread.detachNewThread { [self] in
            // The thread that uses the descriptor closes it: at once, its number may belong to another test's socket.
            defer { sysClose(descriptor) }
            var number = 0
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                let connection = LoopbackConnection(client)
                guard add(connection) else { return connection.reset() }
                let current = number
                number += 1
                Thread.detachNewThread {
                    handle(current, connection)
                    connection.close()
                }
            }
        }
    }

    public func close() {
        lock.lock()
        isClosed = true
        let open = connections
        connections = []
        lock.unlock()
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in open { connection.abort() }
    }

    private func add(_ connection: LoopbackConnection) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { return false }
        connections.removeAll { $0.isClosed }
        connections.append(connection)
        return true
    }

    private static func listen() throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isBound = withSocketAddress(&address) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) } == 0
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withSocketAddress(&address) { getsockname(descriptor, $0, &length) } == 0
        guard isBound, isNamed, Foundation.listen(descriptor, 128) == 0 else { throw CocoaError(.fileReadUnknown) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}

private func withSocketAddress<Result>(_ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

private func sysClose(_ descriptor: Int32) {
    #if canImport(Glibc)
        Glibc.close(descriptor)
    #else
        Darwin.close(descriptor)
    #endif
}

private let tcp = Int32(6)

/// One connection, with blocking calls.
public final class LoopbackConnection: @unchecked Sendable {
    private let descriptor: Int32
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var hasClosed = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, tcp, TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a port of this machine; returns `nil` if the connection is refused.
    public static func connect(to port: Int) -> LoopbackConnection? {
        let descriptor = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withSocketAddress(&address, { Foundation.connect(descriptor, $0, size) }) == 0 else {
            sysClose(descriptor)
            return nil
        }
        return LoopbackConnection(descriptor)
    }

    public var isClosed: Bool {
        lock.lock()
        defer { lock.unlock() }
        return hasClosed
    }

    /// Returns the next bytes; `nil` at the end.
    public func read(limit: Int = 65_536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Reads into memory of the caller, and returns the number of bytes; 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Reads until the bytes contain a text; returns `nil` if they end earlier.
    public func read(until text: String) -> String? {
        var bytes: [UInt8] = []
        while let more = read(limit: 4_096) {
            bytes += more
            let read = String(decoding: bytes, as: UTF8.self)
            if read.contains(text) { return read }
        }
        return nil
    }

    /// Reads this many bytes, and keeps none. Returns whether there were that many.
    public func discard(_ count: Int) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1_024, alignment: 16)
        defer { buffer.deallocate() }
        var left = count
        while left > 0 {
            let read = recv(descriptor, buffer.baseAddress, min(left, buffer.count), 0)
            guard read > 0 else { return false }
            left -= read
        }
        return true
    }

    /// Returns whether everything was written.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, sendFlags) }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Tells the peer that no bytes follow; reading continues.
    public func closeSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    public func close() {
        lock.lock()
        defer { lock.unlock() }
        guard !hasClosed else { return }
        hasClosed = true
        shutdown(descriptor, Int32(SHUT_RDWR))
        sysClose(descriptor)
    }

    /// Interrupts both directions at once, and a thread that reads or writes here.
    public func interrupt() {
        lock.lock()
        defer { lock.unlock() }
        if !hasClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Interrupts both directions, from any thread; a later close is then a reset and no orderly end.
    func abort() {
        lock.lock()
        defer { lock.unlock() }
        guard !hasClosed else { return }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes with a reset in place of an orderly end. The thread that reads and writes calls this.
    public func reset() {
        abort()
        close()
    }
}
