import Foundation
import TestSupport

// Tests/Tools/run MessagingProof cluster [MESSAGES]    nothing acknowledged is lost, whatever fails
// Tests/Tools/run MessagingProof cuts [CONNECTIONS]    connections with TLS that end, or send no more, after every number of bytes
// Tests/Tools/run MessagingProof load [MESSAGES] [WORD]...    messages a second, beside nats-py; only what has all these words in its name
// Tests/Tools/run MessagingProof sockets [MESSAGES]    what sockets and WebSockets carry, beside Python's websockets
let arguments = CommandLine.arguments.dropFirst()
let count = arguments.dropFirst().first.flatMap { Int($0) }
guard NATSServer.isInstalled || arguments.first == "sockets" else {
    print("nats-server is not installed")
    exit(1)
}
do {
    switch arguments.first {
    case "cluster":
        let report = try ClusterProof(messages: count ?? 100_000, kills: 12).run()
        print(report)
        exit(report.isProof ? 0 : 1)
    case "cuts":
        for subject in CutSweep.Subject.allCases {
            for cut in [CuttingProxy.Cut.closing, .silence] {
                print("\(subject), \(cut): \(try CutSweep(subject, cut, connections: count).run())")
            }
        }
    case "load":
        let words = Array(arguments.dropFirst(count == nil ? 1 : 2))
        try LoadComparison(messages: count ?? 1_000_000, words: words).run()
    case "sockets":
        try SocketRates(messages: count ?? 2_000_000).run()
    default:
        print("usage: MessagingProof cluster [MESSAGES] | cuts [CONNECTIONS] | load [MESSAGES] [WORD]... | sockets [MESSAGES]")
        exit(2)
    }
} catch {
    print("it was not shown: \(error)")
    exit(1)
}
