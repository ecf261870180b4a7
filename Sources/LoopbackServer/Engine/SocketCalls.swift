import Dispatch
import Schedulers
internal import Sockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system calls on sockets, with results as types of this module.
enum SocketCalls {
    enum Acceptance: Sendable, Equatable {
        case socket(Int32)
        case wouldBlock
        case tryAgain
        case exhausted(Int32)
    }

    /// Creates a non-blocking socket that listens on 127.0.0.1, and returns it with its port.
    static func listen(port: Int) throws(LoopbackServer.Failure) -> (socket: Int32, port: Int) {
        guard (0...65_535).contains(port) else { throw .impossiblePort(port) }
        let descriptor = PrivateDescriptors.socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw .cannotListen(port: port, reason: reason(errno)) }
        prepare(descriptor)
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        var address = loopbackAddress(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                var size = size
                guard bind(descriptor, generic, size) == 0, systemListen(descriptor, 4_096) == 0 else { return errno }
                return getsockname(descriptor, generic, &size) == 0 ? 0 : errno
            }
        }
        guard result == 0 else {
            closeDescriptor(descriptor)
            throw result == EADDRINUSE ? .portInUse(port) : .cannotListen(port: port, reason: reason(result))
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func accept(_ listener: Int32) -> Acceptance {
        let descriptor = PrivateDescriptors.accept(listener)
        guard descriptor >= 0 else { return acceptFailure(errno) }
        prepare(descriptor)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return .socket(descriptor)
    }

    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SocketTransfer {
        transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> SocketTransfer {
        transfer { send(descriptor, bytes.baseAddress, bytes.count, noSignal) }
    }

    /// Lets the next close of this socket send a reset.
    static func armReset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    static func shutDownWriting(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    static func closeDescriptor(_ descriptor: Int32) {
        close(descriptor)
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func transfer(_ call: () -> Int) -> SocketTransfer {
        while true {
            let count = call()
            if count >= 0 { return .count(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let code: return .failed(code)
            }
        }
    }

    private static func acceptFailure(_ code: Int32) -> Acceptance {
        switch code {
        case EAGAIN: .wouldBlock
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted(code)
        default: .tryAgain
        }
    }

    private static func loopbackAddress(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
        private static func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { Glibc.listen(descriptor, backlog) }
    #else
        private static let streamType = SOCK_STREAM
        private static let noSignal: Int32 = 0
        private static func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { Darwin.listen(descriptor, backlog) }
    #endif
}
