import Dispatch
import Foundation
import NetNodes

/// A file to which a queue of its own appends lines. Only its owner can read it, because addresses and errors may be confidential.
///
/// The first line that cannot be written ends the program: see ``failure``.
final class EventFile: Sendable {
    /// The reason why a line could not be written.
    let failure = PublishRelay<String>()
    private let path: String
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "pulse event file")

    /// - Throws: `UsageError` if the file cannot be opened.
    init(_ file: URL, flag: String) throws(UsageError) {
        path = file.relativePath
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UsageError("pulse watch: \(flag) \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
    }

    func append(_ line: String) {
        queue.async { [self] in
            do throws(POSIXError) { try Data((line + "\n").utf8).append(to: descriptor) } catch {
                failure.accept("\(path) could not be written: \(String(cString: strerror(error.code.rawValue)))")
            }
        }
    }

    /// Waits until all lines are written.
    func flush() {
        queue.sync {}
    }
}
