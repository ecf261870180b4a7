// A chain without an input gets one.
// error: cannot convert value of type 'JSON' to expected argument type '()'
import NetNodes

private func example(_ user: JSON) {
    #if MISTAKE
        _ = URLChain().route(.post, "https://example.com/users").output(JSON.self).stream(user)
    #else
        _ = URLChain().route(.post, "https://example.com/users").input(JSON.self).output(JSON.self).stream(user)
    #endif
}
