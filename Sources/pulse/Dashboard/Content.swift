/// What a dashboard shows at one moment.
struct Content: Sendable, Equatable {
    let entries: [Entry]
    /// What is wrong with the source as a whole; nil while all is well.
    var notice: String?
}
