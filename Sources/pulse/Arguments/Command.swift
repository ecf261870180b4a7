import Foundation

/// The command that `pulse` runs.
enum Command: Equatable {
    case demo
    case watch(WatchOptions)
    case inspect(InspectOptions)
    case get(GetOptions)
    case download(DownloadOptions)
    /// One after another.
    indirect case each([Command])
    case serve(port: Int)
    case completion(Shell)
    case help(Topic?)
    case version

    /// The commands that have a help page.
    enum Topic: String, CaseIterable {
        case watch
        case view
        case inspect
        case get
        case download
        case serve
        case completion
    }
}

/// A command line that cannot be parsed. One line on standard error; the exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
