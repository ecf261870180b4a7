import Foundation
import Streams
import StreamsInspector

/// A process that is inspected, and one that inspects.
enum InspectorProbe {
    /// Runs so many streams until the standard input is closed; says where they can be inspected.
    static func run(_ count: Int) throws {
        let subject = PublishSubject<Int>()
        let subscriptions = CompositeDisposable((0..<count).map { _ in subject.map { $0 + 1 }.filter { $0 > 0 }.subscribe { _ in } })
        subject.onNext(1)
        FileHandle.standardOutput.write(Data("\(Inspector.socketPath ?? "none")\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        subscriptions.dispose()
    }

    /// Becomes the user with this number, and says what the process that serves the socket answers.
    static func ask(_ path: String, as user: String) {
        guard let user = uid_t(user), setuid(user) == 0 else { return print("cannot become \(user)") }
        do { print("\(try InspectorSocket.snapshot(at: path).nodes.count) operators") } catch { print("refused: \(error)") }
    }
}
