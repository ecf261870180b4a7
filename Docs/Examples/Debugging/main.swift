import Foundation
import Streams

// STREAMS_INSPECT=1 swift run Debugging never-released     a program with a bug, in a terminal of its own
// swift run pulse inspect                                  what it is doing, in another one
let story = CommandLine.arguments.dropFirst().first ?? ""
guard let start = stories.first(where: { $0.name == story })?.start else {
    print("usage: Debugging \(stories.map(\.name).joined(separator: " | "))")
    exit(2)
}

let bag = DisposeBag()
start(bag)
exit(MainLoop.run())
