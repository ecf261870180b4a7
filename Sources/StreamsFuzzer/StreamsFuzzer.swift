import Foundation

/// Runs random pipelines through the library and through the reference until they differ or the time is over.
@main
struct StreamsFuzzer {
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.wantsHelp { return print(Arguments.usage) }
            exit(StreamsFuzzer(arguments).run())
        } catch {
            say("StreamsFuzzer: \(error.message)")
            exit(2)
        }
    }

    private let arguments: Arguments
    private let clock = ContinuousClock()

    private init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    private func run() -> Int32 {
        let fuzzer = Fuzzer(depth: arguments.depth)
        let begin = clock.now
        var (count, leftOut, nextProgress) = (0, 0, begin + .seconds(10))
        while count < arguments.pipelines ?? .max {
            let now = clock.now
            if let seconds = arguments.seconds, now - begin >= .seconds(seconds) { break }
            if now >= nextProgress {
                Self.say("\(count) pipelines")
                nextProgress = now + .seconds(10)
            }
            let seed = arguments.seed &+ UInt64(count)
            count += 1
            if arguments.printsOnly {
                print(Generator.makeCase(seed: seed, depth: arguments.depth).pipeline.code())
                continue
            }
            switch fuzzer.verdict(seed: seed) {
            case .passed: break
            case .leftOut: leftOut += 1
            case .failed(let failure):
                print(Report(failure: Shrinker.shrunk(failure), seed: seed, depth: arguments.depth).text)
                return 1
            }
        }
        let minutes = (clock.now - begin) / .seconds(60)
        print("\(count) pipelines, \(Int(Double(count) / minutes)) a minute; \(leftOut) left out as too large; no difference")
        return 0
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
