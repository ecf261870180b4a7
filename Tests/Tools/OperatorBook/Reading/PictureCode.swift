import Foundation
import OperatorCatalogue

/// The code of a picture: the closure of the catalogue that was run to draw it, so that it cannot be another one.
struct PictureCode {
    /// Without the `return` of an only expression.
    let lines: [String]
    /// The names of the inputs in it.
    let labels: [String]

    /// - Parameter labels: names for the inputs; an empty one is that of the code.
    init(of picture: Picture, in root: URL, labels: [String]) throws {
        let path = "Tests/OperatorCatalogue/Operators/\(picture.place.file.split(separator: "/").last ?? "")"
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        guard let body = Self.closure(in: text, line: picture.place.line) else {
            throw BookError(message: "\(path):\(picture.place.line) has no closure that makes a picture")
        }
        var names = labels
        for (name, index) in Self.inputs(in: body) where index < names.count && names[index].isEmpty { names[index] = name }
        self.labels = zip(names, "abcdefgh").map { name, letter in name.isEmpty ? String(letter) : name }
        lines = Self.dedented(Self.named(body, self.labels))
    }

    /// The body of the closure behind the call that begins in a line, or the last before it.
    private static func closure(in text: String, line: Int) -> Substring? {
        let before = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(line).joined(separator: "\n")
        guard let call = before.range(of: "picture(", options: .backwards) else { return nil }
        let start = text.index(text.startIndex, offsetBy: before.distance(from: before.startIndex, to: call.upperBound))
        guard let arguments = balanced(text[start...]), let brace = text[arguments.endIndex...].firstIndex(of: "{") else { return nil }
        return balanced(text[text.index(after: brace)...])
    }

    /// Up to the bracket that closes what was opened before; brackets in strings do not count.
    private static func balanced(_ text: Substring) -> Substring? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            defer { isEscaped = character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isInString.toggle() }
            guard !isInString else { continue }
            if "({[".contains(character) { depth += 1 }
            if ")}]".contains(character) { depth -= 1 }
            if depth < 0 { return text[..<index] }
        }
        return nil
    }

    /// The names under which the code uses its inputs, with their numbers.
    private static func inputs(in body: Substring) -> [(String, Int)] {
        let names = ["letters": 0, "numbers": 0, "others": 1, "otherNumbers": 1]
        return body.matches(of: /up\.(\w+)(?!\()/).compactMap { match in
            names[String(match.1)].map { (match.1 == "otherNumbers" ? "others" : String(match.1), $0) }
        }
    }

    /// With the names of the inputs, and without `up`, which is the catalogue's.
    private static func named(_ body: Substring, _ names: [String]) -> String {
        var text = body.replacing(/up\.numbers\((\d)\)/) { match in Int(match.1).map { names[$0] } ?? String(match.0) }
        let inputs = [/up\.(?:letters|numbers)(?!\w)/, /up\.(?:others|otherNumbers)(?!\w)/]
        for (input, name) in zip(inputs, names) { text = text.replacing(input, with: name) }
        return String(text.replacing(/up\.(scheduler|loading)(?!\w)/) { match in match.1 == "loading" ? "load" : "scheduler" })
    }

    /// The lines of the body without its parameter, and without the indentation that they have in common.
    private static func dedented(_ body: String) -> [String] {
        let code = body.replacing(/^\s*(?:up|_) in(?!\w)[ ]*/, with: "")
        let lines = code.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        // Code behind the parameter, in its line, is not indented.
        let depth = lines.dropFirst(code.hasPrefix("\n") ? 0 : 1).map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.enumerated().map { index, line in
            let rest = index > 0 || code.hasPrefix("\n") ? line.dropFirst(depth) : line
            return String(rest.replacing(/\s+$/, with: ""))
        }
    }
}
