/// What `pulse` ends with.
enum ExitCode {
    static let success: Int32 = 0
    /// There is no good answer, or an endpoint is down.
    static let failure: Int32 = 1
    /// The command line makes no sense.
    static let usage: Int32 = 2

    /// What a shell shows for a process that this signal ended.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}
