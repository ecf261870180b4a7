import Foundation
import NetNodes

/// The command-line tool.
@main
struct Pulse {
    @MainActor
    static func main() {
        // Writing to a closed pipe, or beyond a file size limit, fails with an error instead of terminating the process.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        Descriptors.occupyStandardOnes()
        #if os(Linux)
            // Swift reads the arguments from this file, and traps without it.
            guard access("/proc/self/cmdline", R_OK) == 0 else {
                Console.printError("pulse: /proc is missing, where a program finds its arguments: mount it (mount -t proc proc /proc)")
                exit(ExitCode.failure)
            }
        #endif
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command and returns the exit code.
    @MainActor
    static func run(_ words: [String]) -> Int32 {
        reporting {
            let command = try Invocation(parsing: words)
            try Descriptors.prepare()
            return try command.run()
        }
    }

    /// Runs the command and returns the exit code. For an error, prints a line and returns the code of the error.
    @MainActor
    private static func reporting(_ run: () throws -> Int32) -> Int32 {
        do {
            return try run()
        } catch let error as UsageError {
            Console.printError(error.description)
            return ExitCode.usage
        } catch let error as Descriptors.Shortage {
            Console.printError(error.description)
            return ExitCode.noResources
        } catch is CancellationError {
            return ExitCode.signal(SIGINT)
        } catch {
            Console.printError("pulse: \(ErrorWording.sentence(error))")
            return ExitCode.of(error)
        }
    }

    /// Runs the commands one after another until a signal arrives. The exit code is that of the last failure.
    @MainActor
    static func run(each commands: [Invocation]) -> Int32 {
        var result = ExitCode.success
        for command in commands {
            let code = reporting { try command.run() }
            if code != ExitCode.success { result = code }
            if code > ExitCode.signal(0) { break }
        }
        return result
    }
}

extension URLChain where Stage == Unrouted, Input == Void {
    /// The chain with which every request of the program begins: it tells the server who asks. A header of the user replaces it.
    static var ofPulse: Self { URLChain().headers(["User-Agent": "pulse/\(Streams.version)"]) }
}
