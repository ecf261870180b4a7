/// The protocol on the socket of an inspector.
///
/// A client connects, sends one request, a line of at most 1,024 bytes, and reads one answer, a line of JSON; then the connection is
/// closed. The request `snapshot` is answered with an `InspectorSnapshot`, `version` with a `Version`, and anything else with a `Failure`.
public enum InspectorProtocol {
    /// The requests of a client.
    public enum Request: String, Sendable, CaseIterable {
        /// Asks for all running streams.
        case snapshot
        /// Asks for the process, and the version of its format.
        case version
    }

    /// The maximum number of bytes in a request, with its line feed.
    public static let requestLimit = 1_024

    /// The process that answers.
    public struct Version: Codable, Sendable, Equatable {
        /// The version of the format of snapshots.
        public var format: Int
        /// The number of the process.
        public var process: Int32
        /// The name of the program.
        public var program: String
        /// Whether elements are shown.
        public var showsElements: Bool

        /// Creates an answer.
        public init(format: Int = InspectorSnapshot.currentFormat, process: Int32, program: String, showsElements: Bool) {
            (self.format, self.process, self.program, self.showsElements) = (format, process, program, showsElements)
        }
    }

    /// The reason why a request has no answer.
    public struct Failure: Error, Codable, Sendable, Equatable {
        /// The reason as a sentence without a period.
        public var error: String

        /// Creates a failure.
        public init(error: String) {
            self.error = error
        }
    }
}
