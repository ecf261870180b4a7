import Foundation

extension ServerRoute {
    /// Returns this route restricted to the given user; all others receive 401 with a `Basic` challenge.
    public func requiringBasic(user: String, password: String, realm: String = "loopback") -> ServerRoute {
        let expected = Data("\(user):\(password)".utf8)
        return guarded { request in
            let credentials = request.credentials(scheme: "basic").flatMap { Data(base64Encoded: $0) }
            guard credentials != expected else { return nil }
            return .text("User name and password required.\n", status: 401).header("WWW-Authenticate", "Basic realm=\"\(realm)\"")
        }
    }
}
