/// A command line that makes no sense. One clear line for standard error; the exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
