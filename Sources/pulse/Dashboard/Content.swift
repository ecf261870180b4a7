/// The content of a dashboard at one moment.
struct Content: Sendable, Equatable {
    let entries: [Entry]
    /// A problem of the source as a whole; `nil` if there is none.
    var notice: String?
}
