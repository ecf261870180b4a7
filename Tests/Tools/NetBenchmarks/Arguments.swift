import Foundation

/// The arguments of the command line.
struct Arguments {
    /// A command line that means nothing, in one line.
    struct Failure: Error {
        let message: String
    }

    static let usage = """
        usage: NetBenchmarks [--quick] [--check] [--only NAME] [--at-once N,...] [--rounds N] [--count N] [--server URL] [--help]

          --quick       fewer and shorter rounds: a first look, not a figure to keep
          --check       exits with 1 if a bound is not reached
          --only NAME   only the clients whose name contains NAME: chain, await, file, URLSession, libcurl
          --at-once N,...
                        how many requests run at the same time: 1,16,64,256
          --rounds N    how often each client asks for 600 ms, of which the figures are the middle: 7
          --count N     no measurement: N requests of each client, one at a time, for a tool that counts instructions
          --server URL  asks a server that runs already and answers the same, in place of one of its own
          --help        shows this
        """

    private(set) var rounds = 7
    private(set) var duration = Duration.milliseconds(600)
    private(set) var only: String?
    private(set) var atOnce = [1, 16, 64, 256]
    private(set) var count: Int?
    private(set) var server: URL?
    private(set) var checks = false
    private(set) var serves = false
    private(set) var wantsHelp = false

    init(_ words: some Sequence<String>) throws(Failure) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--quick": (rounds, duration) = (3, .milliseconds(200))
            case "--check": checks = true
            case "--only":
                guard let name = words.popFirst(), !name.hasPrefix("--") else { throw Failure(message: "--only needs a name") }
                only = name
            case "--at-once":
                let numbers = words.popFirst()?.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 } ?? []
                guard !numbers.isEmpty, numbers.allSatisfy((1...CurlClient.most).contains) else {
                    throw Failure(message: "--at-once needs numbers from 1 to \(CurlClient.most)")
                }
                atOnce = numbers
            case "--rounds":
                guard let number = words.popFirst().flatMap(Int.init), number > 0 else { throw Failure(message: "--rounds needs a number") }
                rounds = number
            case "--count":
                guard let number = words.popFirst().flatMap(Int.init), number > 0 else { throw Failure(message: "--count needs a number") }
                count = number
            case "--server":
                guard let url = words.popFirst().flatMap(URL.init(string:)) else { throw Failure(message: "--server needs a URL") }
                server = url
            case "--serve": serves = true
            case "--help", "-h": wantsHelp = true
            default: throw Failure(message: "unknown argument '\(word)'; --help shows what there is")
            }
        }
    }
}
