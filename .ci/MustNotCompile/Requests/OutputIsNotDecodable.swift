// The output is not decodable.
// error: instance method 'output' requires that 'User' conform to 'Decodable'
import NetNodes

private struct User {
    var name: String
}

private struct DecodableUser: Decodable {
    var name: String
}

private func example() {
    #if MISTAKE
        _ = URLChain().route(.get, "https://example.com/users").output(User.self)
    #else
        _ = URLChain().route(.get, "https://example.com/users").output(DecodableUser.self)
    #endif
}
