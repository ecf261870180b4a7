import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// A host that drops what is sent to it: nothing comes back, not even a refusal.
@Suite("Hosts that drop", .countsResources, .blocksThread)
struct DroppingHostTests {
    /// Nobody accepts here, and the queue of those who wait for it is full.
    private final class DroppingHost {
        let port: UInt16
        private var descriptors: [Int32] = []

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            descriptors.append(listener)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            port = try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    guard bind(listener, $0, length) == 0, listen(listener, 0) == 0, getsockname(listener, $0, &length) == 0 else {
                        throw POSIXError(.EADDRINUSE)
                    }
                    return UInt16(bigEndian: UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
                }
            }
            for _ in 0..<4 {
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                descriptors.append(client)
                withUnsafePointer(to: address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = Glibc.connect(client, $0, length) }
                }
            }
        }

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }
    }

    private func error(_ limits: HTTPRequest.Timeouts, connectionsPerHost: Int = 64) throws -> [TransportError?] {
        let host = try DroppingHost()
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHost = connectionsPerHost
        let transport = CurlTransport(configuration)
        let request = HTTPRequest(.get, try "http://127.0.0.1:\(host.port)/".url(), timeouts: limits)
        let requests = (0..<3).map { _ in transport.response(to: request).convertToResult().asObservable() }
        let result = Observable.merge(requests).ended()
        #expect(!result.isLate)
        return result.elements.map { if case .failure(let error) = $0 { (error as? TransportError)?.withoutPort } else { nil } }
    }

    @Test func `The connect timeout ends a transfer, also one that was queued`() throws {
        for connections in [64, 1] {
            let errors = try error(HTTPRequest.Timeouts(connect: .milliseconds(200), idle: nil), connectionsPerHost: connections)
            #expect(
                errors == [TransportError?](repeating: .timedOut(.connect, after: .milliseconds(200), url: "http://127.0.0.1/"), count: 3))
        }
    }

    @Test func `The total timeout ends a transfer, also one that is queued`() throws {
        for connections in [64, 1] {
            let limits = HTTPRequest.Timeouts(connect: nil, idle: nil, total: .milliseconds(200))
            let errors = try error(limits, connectionsPerHost: connections)
            #expect(
                errors == [TransportError?](repeating: .timedOut(.total, after: .milliseconds(200), url: "http://127.0.0.1/"), count: 3))
        }
    }
}

extension TransportError {
    /// The same limit, and where it passed without the port.
    fileprivate var withoutPort: TransportError {
        guard case .timedOut(let phase, let limit, let url) = self else { return self }
        return .timedOut(phase, after: limit, url: url.replacing(/:\d+/, with: ""))
    }
}
