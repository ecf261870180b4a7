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
        var (count, leftOut, events, nextProgress) = (0, 0, 0, begin + .seconds(10))
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
                printCode(seed: seed)
                continue
            }
            switch fuzzer.verdict(seed: seed) {
            case .passed(let number): events += number
            case .leftOut: leftOut += 1
            case .failed(let failure):
                print(Report(failure: Fuzzer.shrunk(failure, seed: seed), seed: seed, depth: arguments.depth).text)
                return 1
            }
        }
        let minutes = (clock.now - begin) / .seconds(60)
        print(
            """
            \(count) pipelines of \(fuzzOperators.count) operators, \(events) events, \(Int(Double(count) / minutes)) pipelines a minute; \
            \(leftOut) left out as too large; no difference
            """)
        return 0
    }

    private func printCode(seed: UInt64) {
        let example = Generator.makeCase(seed: seed, depth: arguments.depth)
        guard let expected = try? Reference.expectation(of: example) else { return }
        let report = Report(failure: Failure(example: example, expected: expected, actual: expected), seed: seed, depth: arguments.depth)
        print("@Test func `Pipeline \(seed)`() {\n\(report.code)\n}\n")
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
