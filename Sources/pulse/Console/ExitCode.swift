import NetNodes

/// The exit codes of `pulse`.
enum ExitCode {
    static let success: Int32 = 0
    /// The request failed, or an endpoint is down.
    static let failure: Int32 = 1
    /// The command line could not be parsed.
    static let usage: Int32 = 2
    /// Output could not be written, for example to a full disk.
    static let outputFailure: Int32 = 3
    /// The system is out of resources such as file descriptors.
    static let noResources: Int32 = 4

    /// Returns the exit code of a command that failed with this error.
    static func of(_ error: any Error) -> Int32 { error is DownloadError ? outputFailure : failure }

    /// Returns the exit code that shells report for a process terminated by this signal.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}
