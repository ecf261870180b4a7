import Foundation

extension ServerRoute {
    /// The same route for this user only; all others get 401 with a `Basic` challenge.
    public func requiringBasic(user: String, password: String, realm: String = "loopback") -> ServerRoute {
        let expected = Data("\(user):\(password)".utf8)
        return guarded { request in
            let credentials = request.credentials(scheme: "basic").flatMap { Data(base64Encoded: $0) }
            guard credentials != expected else { return nil }
            return .text("Name and password, please.\n", status: 401).header("WWW-Authenticate", "Basic realm=\"\(realm)\"")
        }
    }
}
