// A chain has no route.
// error: 'output' is unavailable: the chain has no route: write route(_:_:) first
import NetNodes

private func example() {
    #if MISTAKE
        _ = URLChain().output(JSON.self)
    #else
        _ = URLChain().route(.get, "https://example.com/users").output(JSON.self)
    #endif
}
