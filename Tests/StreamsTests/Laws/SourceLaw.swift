import Foundation
import StreamsTesting
import Testing

@Suite("Law 9, checked by the compiler", .onOneThread, .countsResources)
struct SourceLaw {
    /// Where state that the compiler does not check may stand; elsewhere law 2 has to make it sound, and be named.
    private static let unchecked = [
        "Sources/Schedulers/", "Sources/Streams/Kernel/", "Sources/Streams/Subjects/", "Sources/NetNodes/Transport/",
        "Sources/SocketNodes/", "Sources/LoopbackServer/", "Sources/TerminalViews/", "Sources/StreamsSimulator/",
    ]

    /// Closures that never leave the queue they were made on, and the signatures of others.
    private static let confined = ["Sources/NetNodes/Transport/", "Sources/SocketNodes/Engine/Curl/"]

    /// The code that an operator leaves to the kernel, or to the core of its family.
    private static let banned = [#"\bLock[(<]"#, "tryEnter", "Unmanaged", #"@exclusivity\(unchecked\)"#]

    /// The cores of families that have it. Each names the law that makes it sound.
    private static let cores: Set = [
        "Bridging/DemandQueue", "Bridging/ElementBuffer", "Bridging/FirstAnswer", "Bridging/TransformingTasks", "Combining/Combination",
        "Creation/Emitter", "Resilience/GuardedState", "Resilience/KeyedObjects", "Sharing/ConnectableCore", "Sharing/SharedSource",
        "Transforming/ConcurrencyLimiter", "Transforming/IterableFlattening", "Transforming/SwitchJoin",
    ]

    private static func firstBanned(in text: String) -> String? {
        banned.first { text.range(of: $0, options: .regularExpression) != nil }
    }

    @Test func `Every escaping closure parameter is @Sendable or @MainActor @Sendable`() throws {
        let files = try sources()
        let sendableNames = Set(files.flatMap { Self.sendableTypealiases(in: $0.text) })
        for (path, text) in files where !Self.confined.contains(where: path.hasPrefix) {
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                for parameter in line.split(separator: "@escaping", omittingEmptySubsequences: false).dropFirst() {
                    // A main-actor function is sendable by itself.
                    let attributes = parameter.prefix { $0 != "(" }
                    let isSendable =
                        attributes.contains("@Sendable") || attributes.contains("@MainActor")
                        || sendableNames.contains(Self.name(parameter))
                    #expect(isSendable, "\(path):\(number + 1): \(line)")
                }
            }
        }
    }

    @Test func `Unchecked declarations occur only where the laws allow them`() throws {
        for (path, text) in try sources() where !Self.unchecked.contains(where: path.hasPrefix) {
            for word in ["@unchecked Sendable", "nonisolated(unsafe)", "@exclusivity(unchecked)"] where text.contains(word) {
                let namesLaw = text.range(of: "law [1-9]", options: [.regularExpression, .caseInsensitive]) != nil
                #expect(namesLaw, "\(path) has \(word) and names no law")
            }
        }
    }

    @Test func `What the compiler cannot prove safe stands where the law that makes it safe is named`() throws {
        let marked = try sources().filter { path, text in
            path.hasPrefix("Sources/Streams/") && text.range(of: #"(?m)^[^/\n]*\bunsafe "#, options: .regularExpression) != nil
        }
        #expect(marked.count > 15)
        for (path, text) in marked {
            let namesLaw = text.range(of: "law [1-9]", options: [.regularExpression, .caseInsensitive]) != nil
            #expect(namesLaw, "\(path) has unsafe code and names no law")
        }
    }

    @Test func `No operator has a lock or state that the compiler does not check, but in the cores that are listed`() throws {
        let folder = "Sources/Streams/Operators/"
        let operators = try sources().filter { $0.path.hasPrefix(folder) }
        #expect(operators.count > 50)
        let withState = operators.filter { Self.firstBanned(in: $0.text) != nil }
        #expect(Set(withState.map { String($0.path.dropFirst(folder.count).dropLast(".swift".count)) }) == Self.cores)
        for (path, text) in withState {
            #expect(text.range(of: "law [1-9]", options: [.regularExpression, .caseInsensitive]) != nil, "\(path) names no law")
        }
    }

    @Test func `Only the flow of the kernel parks a source, makes the gate of an operator, and knows the halves of its change`() throws {
        let halves = [
            #"\bunmark\("#, #"\bannounce\("#, #"\bParked[A-Z]"#, "Resumptions", "PlannedResumption", #"\bGate\(of"#,
            "GateChange[.](opened|several)",
        ]
        for (path, text) in try sources() where !path.hasPrefix("Sources/Streams/Kernel/Flow/") {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            let found = halves.first { code.range(of: $0, options: .regularExpression) != nil }
            #expect(found == nil, "\(path) has \(found ?? "")")
        }
    }

    /// Operators whose cost is in an await. `Tests/Tools/sweep` counts them too.
    private static let outOfLine: Set = ["observe", "signals", "subscribe"]

    @Test func `The caller's compiler sees each operator but those whose cost is elsewhere`() throws {
        let declaration = /[ ]{4}public (?:static )?func `?(\w+)/
        var found = 0
        let folders = ["Operators", "Traits", "Binding"].map { "Sources/Streams/\($0)/" }
        for (path, text) in try sources() where folders.contains(where: path.hasPrefix) {
            var isOperator = false
            var attributes = ""
            for line in text.split(separator: "\n") {
                // A completable has no elements.
                if line.hasPrefix("extension ") { isOperator = !line.contains("TraitKind.Completable") }
                // The members in a type's declaration are no operators.
                if line.hasPrefix("}") { isOperator = false }
                if isOperator, let name = try declaration.prefixMatch(in: line)?.output.1, !Self.outOfLine.contains(String(name)) {
                    #expect(attributes.contains("@inlinable") || attributes.contains("@available"), "\(path): \(name)")
                    found += 1
                }
                attributes = line.drop { $0 == " " }.hasPrefix("@") ? attributes + line : ""
            }
        }
        #expect(found > 200)
    }

    /// The names of the function types that are declared `@Sendable`, or that capture nothing.
    private static func sendableTypealiases(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.contains("typealias") && ($0.contains("@Sendable") || $0.contains("@convention(c)")) }
            .compactMap { line in
                line.components(separatedBy: "typealias ").last.map { name(Substring(" " + $0)) }
            }
    }

    /// The type's name that `text` begins with, without the type that declares it.
    private static func name(_ text: Substring) -> String {
        let path = text.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return path.split(separator: ".").last.map(String.init) ?? ""
    }

    private func sources() throws -> [(path: String, text: String)] {
        let found = try Documentation.sources(in: "Sources")
        #expect(found.count > 50)
        return found
    }
}
