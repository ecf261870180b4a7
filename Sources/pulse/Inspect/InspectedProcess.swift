import Foundation
import NetNodes
import StreamsInspector
import TerminalViews

/// The socket of a process that is inspected.
struct InspectedProcess: Sendable, Equatable {
    let path: String
    /// The number of the process; `nil` for a socket that was named by its path.
    var number: Int32?

    /// Returns the other processes of this user that can be inspected.
    ///
    /// - Throws: `InspectFailure` if the directory of the sockets is not safe.
    static func all() throws(InspectFailure) -> [InspectedProcess] {
        do {
            return try InspectorSocket.list().filter { $0.process != getpid() }.map { InspectedProcess(path: $0.path, number: $0.process) }
        } catch {
            throw .refused(String(describing: (error as? InspectorProtocol.Failure)?.error ?? "\(error)"))
        }
    }

    /// Finds the socket of a process.
    static func find(_ number: Int32) throws(InspectFailure) -> InspectedProcess {
        if let found = try all().first(where: { $0.number == number }) { return found }
        guard kill(number, 0) != 0 else { throw .notInspectable(number) }
        throw errno == EPERM ? .otherUsers("process \(number)") : .noSuchProcess(number)
    }

    /// Checks that there is a socket of this user.
    init(socket path: String) throws(InspectFailure) {
        let shown = TerminalText.sanitized(path.excerpt(200))
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw errno == EACCES ? .otherUsers(shown) : .noSocket(shown)
        }
        guard status.st_uid == getuid() else { throw .otherUsers(shown) }
        self.path = path
    }

    private init(path: String, number: Int32) {
        (self.path, self.number) = (path, number)
    }

    /// The time without a sign of the process; a script waits no longer than its `--timeout`.
    private static let patience = Duration.seconds(30)

    /// Takes a snapshot. It blocks a thread of its own until the process has answered, whether or not anybody still waits for the answer.
    func snapshots(_ page: InspectorProtocol.Page) -> Observable<InspectorSnapshot> {
        .deferred { [path] in .just(try Self.snapshot(page, at: path)) }
    }

    /// Counts the running streams. It blocks like `snapshots(_:)`, and takes less time.
    var counts: Observable<InspectorProtocol.Counts> {
        .deferred { [path] in .just(try Self.read(InspectorProtocol.Counts.self, .counts, at: path).repaired) }
    }

    private static func snapshot(_ page: InspectorProtocol.Page, at path: String) throws(InspectFailure) -> InspectorSnapshot {
        let snapshot = try read(InspectorSnapshot.self, .snapshot(page), at: path)
        guard snapshot.format <= InspectorSnapshot.currentFormat else {
            throw .malformed("it has format \(snapshot.format), and this pulse reads \(InspectorSnapshot.currentFormat)")
        }
        return snapshot.repaired
    }

    private static func read<Answer: Decodable>(
        _ type: Answer.Type, _ request: InspectorProtocol.Request, at path: String
    ) throws(InspectFailure) -> Answer {
        let answer = try answer(to: request, at: path)
        if let decoded = try? JSONDecoder().decode(type, from: answer) { return decoded }
        guard let failure = try? JSONDecoder().decode(InspectorProtocol.Failure.self, from: answer) else {
            throw .malformed("it has \(Wording.bytes(Int64(answer.count))) of something else")
        }
        throw .refused(TerminalText.sanitized(failure.error.excerpt(300)))
    }

    private static func answer(to request: InspectorProtocol.Request, at path: String) throws(InspectFailure) -> Data {
        do {
            return try InspectorSocket.answer(to: request, at: path, within: patience)
        } catch is InspectorSocket.Silent {
            throw .silent(patience)
        } catch {
            // A process that ends while it answers removes its socket.
            var status = stat()
            let isGone = error is InspectorSocket.Unreachable || stat(path, &status) != 0
            guard !isGone else { throw .unreachable(TerminalText.sanitized(path.excerpt(200))) }
            let sentence = (error as? InspectorProtocol.Failure)?.error ?? "\(error)"
            throw .malformed(TerminalText.sanitized(sentence.excerpt(300)))
        }
    }
}
