import Foundation
import Streams

/// Finds and reads the sockets of inspectors, also in a build that does not contain the inspector itself.
///
/// A socket is in a directory of mode 0700 that belongs to this user, and is named `PID-TOKEN.sock`.
package enum InspectorSocket {
    /// The maximum number of bytes in an answer: more than the snapshot of as many operators as an inspector keeps.
    private static let answerLimit = 67_108_864

    /// The directory of the sockets: `streams` in `$XDG_RUNTIME_DIR`, or `/tmp/streams-UID`.
    package static var directory: String {
        if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return "\(runtime)/streams" }
        return "/tmp/streams-\(getuid())"
    }

    /// The error for a path at which nothing accepts connections: the process has ended, or never served it.
    package struct Unreachable: Error, Sendable, Equatable, CustomStringConvertible {
        /// The path of the socket.
        package var path: String

        package var description: String { "no process serves \(path)" }
    }

    /// The error for a process that does not accept the connection, or sends nothing, within the limit.
    package struct Silent: Error, Sendable, Equatable, CustomStringConvertible {
        /// The path of the socket.
        package var path: String

        package var description: String { "the process at \(path) has not answered in time" }
    }

    /// Returns the sockets that running processes serve, with the number of each process.
    ///
    /// - Throws: ``InspectorProtocol/Failure`` if the directory is not safe.
    package static func list(in directory: String = directory) throws -> [(process: Int32, path: String)] {
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        try checkDirectory(directory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.compactMap { name in
            let path = "\(directory)/\(name)"
            return process(ofSocketNamed: name).flatMap { isServed(path) ? ($0, path) : nil }
        }.sorted { $0.process < $1.process }
    }

    /// Reads a snapshot of the process that serves `path`, or a page of it. Blocks until the process has answered, and for at most half a
    /// minute in which nothing happens.
    ///
    /// - Throws: ``Unreachable`` if nothing accepts connections, ``Silent`` if no answer arrives in time, ``InspectorProtocol/Failure`` if the
    ///   answer cannot be read.
    package static func snapshot(at path: String, _ page: InspectorProtocol.Page = .all) throws -> InspectorSnapshot {
        try decode(InspectorSnapshot.self, from: answer(to: .snapshot(page), at: path))
    }

    /// Asks the process that serves `path` how many streams are running. Blocks and throws as `snapshot(at:)`.
    package static func counts(at path: String) throws -> InspectorProtocol.Counts {
        try decode(InspectorProtocol.Counts.self, from: answer(to: .counts, at: path))
    }

    /// Asks the process that serves `path` for its version. Blocks and throws as `snapshot(at:)`.
    package static func version(at path: String) throws -> InspectorProtocol.Version {
        try decode(InspectorProtocol.Version.self, from: answer(to: .version, at: path))
    }

    /// Returns the answer to a request as JSON. Blocks and throws as `snapshot(at:)`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - path: the path of the socket.
    ///   - limit: the time for which the process may neither accept the connection nor send anything, at least a millisecond. Making a
    ///     large snapshot takes some seconds, for each client before this one.
    package static func answer(
        to request: InspectorProtocol.Request, at path: String, within limit: Duration = .seconds(30)
    ) throws -> Data {
        let descriptor = try make()
        defer { close(descriptor) }
        // A connection waits, too, while as many others as the queue of the process has room for do.
        limitTime(of: descriptor, to: limit)
        guard LocalSocket.connect(descriptor, to: path) else {
            switch errno {
            case EAGAIN: throw Silent(path: path)
            case ENAMETOOLONG: throw failure("no socket can have the path \(path)")
            default: throw Unreachable(path: path)
            }
        }
        let line = Array("\(request.line)\n".utf8)
        guard send(descriptor, line, line.count, withoutSignal) == line.count else { throw failure("cannot ask \(path)") }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw Silent(path: path) }
            guard count > 0 else { break }
            answer.append(contentsOf: buffer[..<count])
            guard answer.count <= answerLimit else { throw failure("the answer of \(path) has more than \(answerLimit) bytes") }
        }
        guard answer.last == UInt8(ascii: "\n") else { throw failure("the answer of \(path) is incomplete") }
        return answer.dropLast()
    }

    private static func decode<Answer: Decodable>(_ type: Answer.Type, from answer: Data) throws -> Answer {
        if let answer = try? JSONDecoder().decode(type, from: answer) { return answer }
        if let failure = try? JSONDecoder().decode(InspectorProtocol.Failure.self, from: answer) { throw failure }
        throw failure("the answer has an unknown format")
    }
}

extension InspectorSocket {
    /// Limits the time that each call may block.
    private static func limitTime(of descriptor: Int32, to limit: Duration) {
        let (seconds, attoseconds) = max(limit, .milliseconds(1)).components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: numericCast(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    #if os(Linux)
        package static let withoutSignal = Int32(MSG_NOSIGNAL)
    #else
        package static let withoutSignal: Int32 = 0
    #endif

    static func failure(_ error: String) -> InspectorProtocol.Failure {
        InspectorProtocol.Failure(error: error)
    }

    /// Throws unless nobody else can read or replace files in `directory`.
    static func checkDirectory(_ directory: String) throws {
        var status = stat()
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure("\(directory) is not a directory") }
        guard status.st_uid == getuid() else { throw failure("\(directory) belongs to another user") }
        guard status.st_mode & 0o777 == 0o700 else { throw failure("\(directory) can be read by others: its mode is not 700") }
    }

    /// Returns the number in `PID-TOKEN.sock`.
    static func process(ofSocketNamed name: String) -> Int32? {
        guard name.hasSuffix(".sock"), let process = Int32(name.prefix { $0 != "-" }), process > 0 else { return nil }
        return process
    }

    /// Returns whether something listens at a path: the socket of a killed process stays, and its number is used again.
    static func isServed(_ path: String) -> Bool {
        guard let descriptor = try? make() else { return false }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // A process whose queue is full is busy.
        return LocalSocket.connect(descriptor, to: path) || errno == EAGAIN
    }

    static func isRunning(_ process: Int32) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }

    /// Creates a local socket that no program inherits.
    package static func make() throws -> Int32 {
        let descriptor = LocalSocket.make()
        guard descriptor >= 0 else { throw failure("no socket can be created: error \(errno)") }
        return descriptor
    }
}
