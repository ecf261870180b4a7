import Foundation
import SystemSources

/// `yes` into a loop that takes ten lines a second.
struct ProgramProof {
    let seconds: Int
    private let own = ProcessFigures()
    private let program = Command("/bin/sh", "-c", "echo $$; exec yes")

    init(seconds: Int) {
        self.seconds = seconds
    }

    func run() async throws {
        // Libraries that are loaded on first use are not counted.
        for try await _ in Command("true").lines().values {}
        try await throughStream()
        try await throughAsyncStream()
    }

    private func throughStream() async throws {
        let before = try own.resident
        try own.resetPeak()
        var lines = program.lines().values.makeAsyncIterator()
        let yes = ProcessFigures(try await lines.next() ?? "")
        for _ in 0..<seconds * 10 {
            guard try await lines.next() == "y" else { throw Unproven("a line is missing") }
            try await Task.sleep(for: .milliseconds(100))
        }
        let (state, time, written) = (try yes.state, try yes.processorTime, try yes.bytesWritten)
        let (after, peak) = (try own.resident, try own.peak)
        print("\(seconds) s, ten lines a second, through `values`:")
        print("  resident memory: \(before.megabytes) before, \(after.megabytes) after, \(peak.megabytes) at most")
        print("  yes: state \(state), \(time) s of processor time, has written \(written) bytes")
        try Unproven.unless(state == "S", "yes does not sleep")
        try Unproven.unless(peak - before < 8 << 20, "memory has grown")
    }

    /// The same through a buffer without bound, for a second: nothing stops the program.
    private func throughAsyncStream() async throws {
        let before = try own.resident
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let subscription = program.lines().subscribe(onNext: { continuation.yield($0) })
        var iterator = lines.makeAsyncIterator()
        let yes = ProcessFigures(await iterator.next() ?? "")
        for _ in 0..<10 {
            _ = await iterator.next()
            try await Task.sleep(for: .milliseconds(100))
        }
        print("1 s, ten lines a second, through AsyncStream:")
        print("  resident memory: \(before.megabytes) before, \(try own.resident.megabytes) after")
        print("  yes: \(try yes.processorTime) s of processor time, has written \(try yes.bytesWritten) bytes")
        subscription.dispose()
    }
}
