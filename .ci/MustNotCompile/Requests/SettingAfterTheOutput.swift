// A setting of the request follows the output.
// error: 'timeout' is unavailable: a setting of the request: write it before output(_:)
import NetNodes

private func example() {
    #if MISTAKE
        _ = URLChain().route(.get, "https://example.com/users").output(JSON.self).timeout(.seconds(3))
    #else
        _ = URLChain().route(.get, "https://example.com/users").timeout(.seconds(3)).output(JSON.self)
    #endif
}
