import Foundation
import StreamsTesting
import TestSupport

/// Runs the program `Probe`, which stands beside the tests.
enum ProbeRun {
    /// Its output, and how it ended unless that was with success.
    static func lines(_ arguments: String...) async throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "Probe")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        // A backtracer would inherit the pipe, and may outlive the program that it is about.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let watchdog = ConcurrentDispatchQueueScheduler(qos: .utility).schedule(after: .seconds(1_000)) { process.terminate() }
        defer { watchdog.dispose() }
        // In a thread of its own: a program that is read blocks none of the threads that the other tests run in.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                ended.wait()
                let isSuccess = process.terminationReason == .exit && process.terminationStatus == 0
                let end = isSuccess ? [] : ["ended with \(process.terminationReason) \(process.terminationStatus)"]
                continuation.resume(returning: text.split(separator: "\n").map(String.init) + end)
            }
        }
    }
}
