import Foundation
import NATSServers

// swift run -c release MessagingProof cluster [MESSAGES]    nothing acknowledged is lost, whatever fails
// swift run -c release MessagingProof load [MESSAGES]       messages a second, beside nats-py
// swift run -c release MessagingProof sockets [MESSAGES]    what sockets and WebSockets carry, beside Python's websockets
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
    case "load":
        try LoadComparison(messages: count ?? 1_000_000).run()
    case "sockets":
        try SocketRates(messages: count ?? 2_000_000).run()
    default:
        print("usage: MessagingProof cluster [MESSAGES] | load [MESSAGES] | sockets [MESSAGES]")
        exit(2)
    }
} catch {
    print("it was not shown: \(error)")
    exit(1)
}
