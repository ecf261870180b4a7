import Foundation
import SystemSources

/// A service without a network and without a run loop: it reads jobs from a file, one per line, and repeatedly runs a program for each
/// until it receives SIGTERM or SIGINT; then it stops its work, logs that and exits with 0. It links no network library.
///
///     ExampleService jobs.txt worker.sh [seconds between two rounds, 5 by default] [socket for probes] [log of JSON lines]
///     ExampleService --probe SOCKET
///
/// - `ServiceHealth`: not ready while the jobs cannot be read or the worker keeps failing; `--probe` asks the running service.
/// - `write(appendingTo:rotation:)`: each line is also one of JSON in the log, with the metrics of the bulkhead and the circuit breaker.
/// - `trackActivity`: reports `busy` and `idle`.
/// - `refreshing`: a worker that exits with 77 has an expired key: `worker.sh --key` prints a new one, once for all that need it.
/// - `Observer`: SIGHUP requests a new key immediately, before a worker is rejected; the outcome of that operation is reported.
/// - `bulkhead`: at most four workers run at once. `circuitBreaker`: after twenty failures in a row none is run for a minute.
/// - `retry`: a worker that exits with 75 has timed out, which is retried; other failures are printed, and the round continues.
@main
struct ExampleService {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 2, words[0] == "--probe" { await probe(URL(filePath: words[1])) }
        guard words.count >= 2, let seconds = Double(words.count > 2 ? words[2] : "5"), seconds > 0 else {
            FileHandle.standardError.write(Data("usage: ExampleService JOBS WORKER [SECONDS [SOCKET [LOG]]] | --probe SOCKET\n".utf8))
            exit(2)
        }
        let service = Service(
            jobs: URL(filePath: words[0]), worker: Program(URL(filePath: words[1])), pause: .seconds(seconds),
            renewals: MainLoop.signals(SIGHUP).map { _ in })
        let answers = words.count > 3 ? service.health.answer(on: URL(filePath: words[3])) : .never()
        do {
            let stops = MainLoop.signals(SIGTERM, SIGINT)
            let said =
                words.count > 4 ? service.lines(until: stops, loggedTo: URL(filePath: words[4])) : service.lines.take(until: stops)
            let lines = Observable.merge(said, answers.asObservable().ofType(String.self).take(until: stops))
            for try await line in lines.values { say(line) }
            say("stopped")
        } catch {
            say(error.localizedDescription)
            exit(1)
        }
    }

    /// Asks the running service whether it is ready.
    private static func probe(_ socket: URL) async -> Never {
        do {
            let report = try await ServiceHealth.ask(.readiness, at: socket).value
            say(report.description)
            exit(report.isHealthy ? 0 : 1)
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
