// A chain is given the operator's name for a refresh.
// error: 'refreshing(with:on:)' is unavailable: a chain refreshes its access: refreshingAccess(with:on:)
import NetNodes

private func example(_ tokens: TokenRefresherNode) {
    #if MISTAKE
        _ = URLChain().refreshing(with: tokens)
    #else
        _ = URLChain().refreshingAccess(with: tokens)
    #endif
}
