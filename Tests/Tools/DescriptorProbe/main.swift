import Foundation
import OpenDescriptors
import Streams

// The first use of Dispatch, sockets and threads in a process that can open so many more descriptors: prints its outcome, and that of a
// second use without the limit. Nothing asynchronous may happen before.
let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    print("usage: DescriptorProbe USE SPARE|memory ADDRESS")
    exit(64)
}

/// How the stream ended, or that it had to be waited for longer than is sensible.
///
/// - Parameter onSubscribed: called when it has been subscribed to.
func outcome(within seconds: Int, onSubscribed: () throws -> Void = {}) throws -> String {
    let ended = DispatchSemaphore(value: 0)
    let text = Lock("nothing")
    let subscription = try Uses.stream(arguments[1], at: arguments[3]).take(1).subscribe(
        onNext: { element in text.withLock { $0 = "value \(element)" } },
        onError: { error in
            text.withLock { $0 = "\(type(of: error)) \(error.localizedDescription)" }
            ended.signal()
        }, onCompleted: { ended.signal() })
    defer { subscription.dispose() }
    try onSubscribed()
    guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else { return "no end in \(seconds) seconds" }
    return text.withLock { $0 }
}

/// Prints a line immediately: the process may end before a buffer is written.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

/// What the main loop runs, if the limit is lifted while it waits for its descriptors.
@MainActor
func mainLoopOutcome() -> String {
    let order = Lock([Int]())
    for number in 0..<3 {
        _ = MainScheduler.asyncInstance.schedule { order.withLock { $0.append(number) } }
    }
    _ = MainScheduler.instance.schedule(after: .milliseconds(1)) { MainLoop.stop(code: 7) }
    // Runs on the thread that stands in for Dispatch's while there are no descriptors.
    _ = ConcurrentDispatchQueueScheduler(qos: .utility).schedule(after: .milliseconds(100)) { try? OpenDescriptors.unlimit() }
    let code = MainLoop.run(until: Date(timeIntervalSinceNow: 300))
    return "value \(code) \(order.withLock { $0 })"
}

if let spare = Int(arguments[2]) {
    try OpenDescriptors.limit(toSpare: spare)
} else {
    try OpenDescriptors.limitMemory(toSpare: 4 << 20)
}
switch arguments[1] {
case "main": say("first \(mainLoopOutcome())")
// Operations wait for descriptors.
case "operations": say("first \(try outcome(within: 300, onSubscribed: OpenDescriptors.unlimit))")
default: say("first \(try outcome(within: 300))")
}
try OpenDescriptors.unlimit()
try OpenDescriptors.unlimitMemory()
guard arguments[1] != "main" else { exit(0) }
say("then \(try outcome(within: 300))")
