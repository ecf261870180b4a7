/// What `pulse` ends with.
enum ExitCode {
    static let success: Int32 = 0
    /// There is no good answer, or an endpoint is down.
    static let failure: Int32 = 1
    /// The command line makes no sense.
    static let usage: Int32 = 2
    /// What was to be printed could not be written, such as on a disk that is full.
    static let outputFailure: Int32 = 3
    /// The system has not enough left, such as file descriptors.
    static let noResources: Int32 = 4

    /// What a shell shows for a process that this signal ended.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}
