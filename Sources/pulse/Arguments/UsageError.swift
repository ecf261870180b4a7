/// A command line that cannot be parsed. One line on standard error; the exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
