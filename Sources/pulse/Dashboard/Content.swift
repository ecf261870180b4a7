import TerminalViews

/// The content of a dashboard at one moment.
struct Content: Sendable {
    let entries: [Entry]
    /// What is shown, in a few words: `8/9 up`.
    let heading: StyledText
    var columns: [Table.Column]?
    /// A problem of the source as a whole; `nil` if there is none.
    var notice: String?
}
