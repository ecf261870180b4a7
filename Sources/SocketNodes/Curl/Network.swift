import Foundation
internal import Sockets

/// The networks of the system.
enum Network {
    /// Whether the system has a route to other machines, by IPv4 or IPv6. No packet is sent.
    static var hasRoute: Bool { hasRoute { routeError(to: $0) } }

    /// - Parameter error: returns the `errno` of finding a route to an address; 0 if there is one.
    static func hasRoute(_ error: (Family) -> Int32) -> Bool {
        Family.allCases.contains { ![ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT].contains(error($0)) }
    }

    enum Family: CaseIterable {
        case v4, v6

        /// An address that is reserved for documentation.
        ///
        /// Source: [RFC 5737, 3](https://www.rfc-editor.org/rfc/rfc5737#section-3) and
        /// [RFC 3849, 2](https://www.rfc-editor.org/rfc/rfc3849#section-2).
        fileprivate var documentation: String { self == .v4 ? "192.0.2.1" : "2001:db8::1" }
    }

    /// Finds the route by connecting a UDP socket, which sends nothing.
    private static func routeError(to family: Family) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(family.documentation, "9", &hints, &addresses) == 0, let address = addresses?.pointee else { return 0 }
        defer { freeaddrinfo(addresses) }
        let socket = PrivateSockets.make(address.ai_family, datagramSocket, 0)
        guard socket >= 0 else { return errno }
        defer { close(socket) }
        return connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno
    }
}

#if canImport(Darwin)
    private let datagramSocket = SOCK_DGRAM
#else
    private let datagramSocket = Int32(SOCK_DGRAM.rawValue)
#endif
