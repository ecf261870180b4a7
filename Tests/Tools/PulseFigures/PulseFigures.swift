import Foundation

/// `PulseFigures [--minutes N]` measures; `PulseFigures pictures FOLDER` draws. It runs the release build of `pulse`.
@main
struct PulseFigures {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        guard FileManager.default.isExecutableFile(atPath: PulseRun.executable.path) else {
            print("PulseFigures: there is no \(PulseRun.executable.path): swift build -c release --product pulse")
            exit(1)
        }
        if words.first == "pictures", words.count == 2 { return try Pictures.draw(into: URL(filePath: words[1])) }
        let minutes = words.first == "--minutes" ? words.dropFirst().first.flatMap { Double($0) } : 0.5
        guard let minutes, words.isEmpty || words.count == 2 else {
            print("usage: PulseFigures [--minutes N] | PulseFigures pictures FOLDER")
            exit(2)
        }
        try Figures.measure(minutes: minutes)
    }
}
