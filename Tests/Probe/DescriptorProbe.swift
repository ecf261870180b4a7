import Foundation
import Streams
import TestSupport

/// The first use of sockets, files or threads in a process that can open so many more descriptors: prints its outcome, and that of a second
/// use without the limit.
@MainActor
enum DescriptorProbe {
    static func run(_ use: String, limit: String, at address: String) throws {
        if use == "main" { return try runMainLoop(spare: Int(limit) ?? 0) }
        if let spare = Int(limit) {
            OpenDescriptors.prepareDispatch()
            try OpenDescriptors.limit(toSpare: spare)
        } else {
            try OpenDescriptors.limitMemory(toSpare: 4 << 20)
        }
        say("first \(try outcome(of: use, at: address, within: 300))")
        try OpenDescriptors.unlimit()
        try OpenDescriptors.unlimitMemory()
        say("then \(try outcome(of: use, at: address, within: 300))")
    }

    private static func runMainLoop(spare: Int) throws {
        try OpenDescriptors.limit(toSpare: spare)
        say("\(MainLoop.run())")
        try OpenDescriptors.unlimit()
        _ = MainScheduler.instance.schedule(after: .milliseconds(1)) { MainLoop.stop(code: 7) }
        say("\(MainLoop.run())")
    }

    /// How the stream ended, or that it had to be waited for longer than is sensible.
    private static func outcome(of use: String, at address: String, within seconds: Int) throws -> String {
        let ended = DispatchSemaphore(value: 0)
        let text = Lock("nothing")
        let subscription = try Uses.stream(use, at: address).take(1).subscribe(
            onNext: { element in text.withLock { $0 = "value \(element)" } },
            onError: { error in
                text.withLock { $0 = "\(typeName(of: error)) \(error.localizedDescription)" }
                ended.signal()
            }, onCompleted: { ended.signal() })
        defer { subscription.dispose() }
        guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else { return "no end in \(seconds) seconds" }
        return text.withLock { $0 }
    }

    /// Prints a line immediately: the process may end before a buffer is written.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
