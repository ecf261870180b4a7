import Foundation
import Streams
import TestSupport

// The first use of sockets, files or threads in a process that can open so many more descriptors: prints its outcome, and that of a second
// use without the limit.
let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    print("usage: DescriptorProbe USE SPARE|memory ADDRESS")
    exit(64)
}

/// How the stream ended, or that it had to be waited for longer than is sensible.
func outcome(within seconds: Int) throws -> String {
    let ended = DispatchSemaphore(value: 0)
    let text = Lock("nothing")
    let subscription = try Uses.stream(arguments[1], at: arguments[3]).take(1).subscribe(
        onNext: { element in text.withLock { $0 = "value \(element)" } },
        onError: { error in
            text.withLock { $0 = "\(type(of: error)) \(error.localizedDescription)" }
            ended.signal()
        }, onCompleted: { ended.signal() })
    defer { subscription.dispose() }
    guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else { return "no end in \(seconds) seconds" }
    return text.withLock { $0 }
}

/// Prints a line immediately: the process may end before a buffer is written.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

if arguments[1] == "main" {
    try OpenDescriptors.limit(toSpare: Int(arguments[2]) ?? 0)
    say("\(MainLoop.run())")
    try OpenDescriptors.unlimit()
    _ = MainScheduler.instance.schedule(after: .milliseconds(1)) { MainLoop.stop(code: 7) }
    say("\(MainLoop.run())")
    exit(0)
}
if let spare = Int(arguments[2]) {
    OpenDescriptors.prepareDispatch()
    try OpenDescriptors.limit(toSpare: spare)
} else {
    try OpenDescriptors.limitMemory(toSpare: 4 << 20)
}
say("first \(try outcome(within: 300))")
try OpenDescriptors.unlimit()
try OpenDescriptors.unlimitMemory()
say("then \(try outcome(within: 300))")
