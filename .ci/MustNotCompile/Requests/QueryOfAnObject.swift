// A value of the query cannot be encoded.
// error: 'query' is unavailable: the values of a query are Encodable and Sendable
import NetNodes

private struct Filter {
    var name = ""
}

private func example(_ filter: Filter) {
    #if MISTAKE
        _ = URLChain().route(.get, "https://example.com/users").query(["filter": filter])
    #else
        _ = URLChain().route(.get, "https://example.com/users").query(["filter": filter.name])
    #endif
}
