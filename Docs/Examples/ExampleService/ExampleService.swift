import Foundation
import Streams

/// A service without a network and without a run loop: it reads jobs from a file, one per line, and repeatedly runs a program for each
/// until it receives SIGTERM or SIGINT; then it stops its work, logs that and exits with 0. It links no network library.
///
///     ExampleService jobs.txt worker.sh [seconds between two rounds, 5 by default]
///
/// - `trackActivity`: reports `busy` and `idle`.
/// - `refreshing`: a worker that exits with 77 has an expired key: `worker.sh --key` prints a new one, once for all that need it.
/// - `Observer`: SIGHUP requests a new key immediately, before a worker is rejected; the outcome of that operation is reported.
/// - `bulkhead`: at most four workers run at once. `circuitBreaker`: after twenty failures in a row none is run for a minute.
/// - `retry`: a worker that exits with 75 has timed out, which is retried; other failures are printed, and the round continues.
@main
struct ExampleService {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let seconds = Double(words.count > 2 ? words[2] : "5"), seconds > 0 else {
            FileHandle.standardError.write(Data("usage: ExampleService JOBS WORKER [SECONDS]\n".utf8))
            exit(2)
        }
        let service = Service(
            jobs: URL(filePath: words[0]), worker: Program(URL(filePath: words[1])), pause: .seconds(seconds),
            renewals: MainLoop.signals(SIGHUP).map { _ in })
        do {
            for try await line in service.lines.take(until: MainLoop.signals(SIGTERM, SIGINT)).values { say(line) }
            say("stopped")
        } catch {
            say(error.localizedDescription)
            exit(1)
        }
    }

    /// Prints a line without buffering, also into a pipe.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
