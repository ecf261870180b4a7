import Foundation

/// The command that `pulse` runs.
enum Command: Equatable {
    case demo
    case watch(WatchOptions)
    case get(RequestOptions)
    case download(DownloadOptions)
    case serve(port: Int)
    case help(Topic?)
    case version

    /// The commands that have a help page.
    enum Topic: String, CaseIterable {
        case watch
        case get
        case download
        case serve
    }
}

/// The request of `pulse get` and `pulse download`.
struct RequestOptions: Equatable {
    var url: URL
    var method: String
    var headers: [Header] = []
    var body: String?
    var timeout = Duration.seconds(30)

    struct Header: Equatable {
        let name: String
        let value: String
    }
}

/// `pulse download`.
struct DownloadOptions: Equatable {
    var request: RequestOptions
    var target: URL
    /// Whether an existing file is replaced once the download is complete.
    var replaces = false
}
