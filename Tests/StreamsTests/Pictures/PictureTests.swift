import Foundation
import StreamsTesting
import Testing

@Suite("The pictures of the documentation", .countsResources)
struct PictureTests {
    @Test("What an operator does is what its picture shows", arguments: Picture.all)
    func picture(_ picture: Picture) throws {
        let scheduler = TestScheduler()
        guard !picture.isCold else { return try coldPicture(picture, scheduler) }
        let sources = try picture.inputs.map { try scheduler.hot($0, of: String.self) }
        let observer = scheduler.start(disposed: 40) { picture.make(PictureInputs(sources.map { $0.asObservable() }, scheduler)) }
        observer.expect(picture.result, values: picture.legend, error: picture.error)
        guard let subscriptions = picture.subscriptions else { return }
        #expect(subscriptions.count == sources.count, "each input says when it is heard")
        for (source, diagrams) in zip(sources, subscriptions) {
            #expect(source.subscriptions.map(MarblePrinter.draw).joined(separator: " ") == diagrams)
        }
    }

    private func coldPicture(_ picture: Picture, _ scheduler: TestScheduler) throws {
        let source = try scheduler.cold(picture.inputs[0], of: String.self)
        let observer = scheduler.start(disposed: 40) { picture.make(PictureInputs([source.asObservable()], scheduler)) }
        observer.expect(picture.result, values: picture.legend, error: picture.error)
        guard let diagrams = picture.subscriptions?.first else { return }
        #expect(source.subscriptions.map(Self.drawFromZero).joined(separator: " ") == diagrams)
    }

    private static func drawFromZero(_ interval: SubscriptionInterval) -> String {
        MarblePrinter.draw(interval)
    }

    @Test("The documentation shows the picture", arguments: Picture.all)
    func documented(_ picture: Picture) throws {
        let comments = try Documentation.lines(of: picture.file).compactMap(Documentation.comment)
        for line in picture.lines {
            let isShown = comments.contains { comment in
                comment.hasPrefix("// ") && (comment.hasSuffix(" \(line)") || comment.contains(" \(line)   "))
            }
            #expect(isShown, "\(picture.file).swift does not show \(line)")
        }
    }
}

/// The documentation comments in the package's sources.
enum Documentation {
    static let folders = [
        "Creation", "Transforming", "Filtering", "Combining", "ErrorHandling", "Timing", "Sharing", "Aggregating", "Utility", "Bridging",
        "Nodes",
    ]

    /// What nodes and their logs do beside the operators.
    static let ofNodes = ["stream", "process", "abort", "note", "notingFailure"]

    private static let streams = URL(filePath: #filePath).appending(path: "../../../../Sources/Streams").standardized

    /// Where a chapter, or a file of one, is.
    private static func place(_ path: String) -> URL {
        streams.appending(path: path.hasPrefix("Nodes") ? path : "Operators/\(path)")
    }

    /// The lines of a file, named by folder and name.
    static func lines(of file: String) throws -> [Substring] {
        try String(contentsOf: place(file + ".swift"), encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    /// The files of a folder, named as `lines(of:)` takes them.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place(folder).path).sorted()
            .filter { $0.hasSuffix(".swift") && $0 != "LogMessage.swift" }.map { "\(folder)/\($0.dropLast(".swift".count))" }
    }

    /// What a line says as a documentation comment; nil if it is none.
    static func comment(_ line: Substring) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return String(text.dropFirst(3).drop { $0 == " " })
    }
}

@Suite("The documentation of the operators")
struct DocumentationTests {
    @Test("Every operator has an example, a marble line and a source, or refers to the form that has", arguments: Documentation.folders)
    func complete(folder: String) throws {
        for file in try Documentation.files(in: folder) {
            var comment: [String] = []
            for line in try Documentation.lines(of: file) {
                if let text = Documentation.comment(line) {
                    comment.append(text)
                    continue
                }
                let code = line.drop { $0 == " " }
                if code.hasPrefix("@"), !code.contains(" public ") { continue }
                if code.contains("public "), code.contains(" func ") || code.hasPrefix("@inlinable public var"), line.hasPrefix("    "),
                    !line.hasPrefix("     ")
                {
                    check(comment, of: "\(file): \(code)")
                }
                comment = []
            }
        }
    }

    private func check(_ comment: [String], of declaration: String) {
        guard !declaration.contains("func asObservable()"), !declaration.contains("func makeAsyncIterator()"),
            !Documentation.ofNodes.contains(where: { declaration.contains("func \($0)(") || declaration.contains("func \($0)<") }),
            !declaration.contains("RetryPolicy")
        else { return }
        let text = comment.joined(separator: "\n")
        if text.contains("``") && !text.contains("```swift") { return }
        #expect(text.contains("```swift"), "\(declaration) has no example")
        #expect(text.contains("Source:"), "\(declaration) has no source")
        #expect(comment.contains { $0.hasPrefix("// ") }, "\(declaration) has no marble line")
    }
}
