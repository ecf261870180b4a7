// The block of `Docs/ComingFromNodeKit.md`, with what it takes for granted.
import NetNodes
import Streams

struct MigratedService: Sendable {
    let api = URLChain()
    let url = "https://example.com/users"

    func users() -> Observer<[User]> { api.route(.get, url).output([User].self).process() }  // as before
    func users() -> Observable<[User]> { api.route(.get, url).output([User].self).stream() }  // cold
    func users() async throws -> [User] { try await users().firstElement() }
}
