// retry is given a number of attempts.
// error: 'retry' is unavailable: attempts belong to a policy: retry(.transient(maxAttempts: 3))
import NetNodes

private func example() {
    #if MISTAKE
        _ = URLChain().route(.get, "https://example.com/users").retry(3)
    #else
        _ = URLChain().route(.get, "https://example.com/users").retry(.transient(maxAttempts: 3))
    #endif
}
