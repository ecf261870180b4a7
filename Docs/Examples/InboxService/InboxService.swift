import Foundation
import SystemSources

/// A service that runs a program for each file that is written into a folder, until it receives SIGTERM or SIGINT.
///
///     InboxService FOLDER PROGRAM [ARGUMENT...]
///
/// The program gets the path of the file as its last argument; what it prints is printed here. Two run at a time, and a file that fails is
/// reported. SIGHUP lists the folder anew. At SIGTERM no file is begun any more, and the running programs have ten seconds to end.
@main
struct InboxService {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2 else {
            FileHandle.standardError.write(Data("usage: InboxService FOLDER PROGRAM [ARGUMENT...]\n".utf8))
            exit(2)
        }
        let inbox = Inbox(folder: URL(filePath: words[0]), program: words[1], arguments: Array(words[2...]))
        do {
            let outcome = try await ServiceHost(stopLimit: .seconds(10)).run { environment in
                inbox.reports(environment).do(onNext: say)
            }.value
            if case .failed(let error) = outcome { throw error }
            exit(outcome.exitCode)
        } catch {
            say(error.localizedDescription)
            exit(1)
        }
    }

    /// Prints a line without buffering, also into a pipe.
    @Sendable private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// What the service does: which file is handled when. What a folder and a program are is given to it, so that it runs in a simulation, too.
struct Inbox: Sendable {
    /// What happens in the folder, beginning with the files that are in it.
    let changes: @Sendable () -> Observable<DirectoryChange>
    /// Runs the program for a file, and emits what it prints.
    let handle: @Sendable (String) -> Observable<String>

    /// What the programs print, in the order in which they do.
    func reports(_ environment: ServiceHost.Environment) -> Observable<String> {
        // A reload lists files again that wait or are being handled.
        let pending = BehaviorRelay<Set<String>>(value: [])
        return environment.reloads.startWith(())
            .flatMapLatest { changes() }
            .compactMap(Self.completedFile)
            .filter { !pending.value.contains($0) }
            .do(onNext: { name in pending.update { $0.insert(name) } })
            .take(until: environment.stopRequests)
            .flatMap(maxConcurrent: 2) { name in
                report(on: name).do(onCompleted: { pending.update { $0.remove(name) } })
            }
    }

    /// The name of a file that is complete: it was there, was moved here, or its writer has closed it.
    private static func completedFile(_ change: DirectoryChange) -> String? {
        switch change {
        case .existing(let name), .closed(let name), .renamed(_, let name): name
        default: nil
        }
    }

    private func report(on name: String) -> Observable<String> {
        handle(name)
            .map { line in "\(name): \(line)" }
            .catch { error in .just("\(name) failed: \(error.localizedDescription)") }
    }
}

extension Inbox {
    /// The inbox of a folder of the system.
    init(folder: URL, program: String, arguments: [String]) {
        changes = { Observable.changes(in: folder, includingExisting: true) }
        handle = { name in Command(program, arguments: arguments + [folder.appending(path: name).path]).lines() }
    }
}
