/// The arguments of the command line.
struct Arguments: Equatable {
    /// A command line that means nothing, in one line.
    struct Failure: Error {
        let message: String
    }

    static let usage = """
        usage: StreamsFuzzer [--seed N] [--pipelines N] [--seconds N] [--depth N] [--print] [--help]

          --seed N       the first seed, 1 if not given; each pipeline takes the next
          --pipelines N  stops after so many pipelines
          --seconds N    stops after so many seconds; 10 if neither is given
          --depth N      at most so many operators one above the other, 6 if not given
          --print        prints the pipelines as tests instead of running them
          --help         shows this

        Exits with 1 at the first pipeline that does not do what the reference says, after making it as small as it gets.
        """

    private(set) var seed: UInt64 = 1
    private(set) var pipelines: Int?
    private(set) var seconds: Int?
    private(set) var depth = 6
    private(set) var printsOnly = false
    private(set) var wantsHelp = false

    init(_ words: some Sequence<String>) throws(Failure) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--seed": seed = UInt64(try Self.number(of: word, from: &words))
            case "--pipelines": pipelines = try Self.number(of: word, from: &words)
            case "--seconds": seconds = try Self.number(of: word, from: &words)
            case "--depth": depth = try Self.number(of: word, from: &words)
            case "--print": printsOnly = true
            case "--help", "-h": wantsHelp = true
            default: throw Failure(message: "unknown argument '\(word)'; --help shows what there is")
            }
        }
        if pipelines == nil, seconds == nil { seconds = 10 }
    }

    private static func number(of option: String, from words: inout ArraySlice<String>) throws(Failure) -> Int {
        guard let word = words.popFirst(), let number = Int(word), number >= 0 else {
            throw Failure(message: "\(option) needs a number that is not negative")
        }
        return number
    }
}
