// A first request: the block of the README.
import NetNodes

struct User: Decodable, Sendable { let id: Int; let name: String }

let users = URLChain()
    .route(.get, "https://example.com/users")
    .query(["stack": "left"])
    .timeout(.seconds(3))
    .output([User].self)  // a Node<Void, [User]>: subscribing sends, disposing cancels

do {
    print(try await users.stream().firstElement().map(\.name))
} catch {
    print(error.localizedDescription)  // one sentence, redacted
}
