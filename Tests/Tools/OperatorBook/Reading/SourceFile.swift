import Foundation

/// The public declarations of one source file, with their documentation comments.
struct SourceFile {
    /// A public function or property.
    struct Declaration {
        /// With its labels: `take(while:behavior:)`. Repeated `_:` are written once, as the catalogue does.
        let name: String
        /// In one line, without its attributes and its body.
        let signature: String
        let comment: DocumentationComment

        /// The signature, with a line for each parameter where it is long.
        var lines: [String] {
            guard signature.count > 100, let open = SourceFile.opening(of: signature[...]) else { return [signature] }
            let inside = SourceFile.parameters(signature[signature.index(after: open)...])
            let end = inside.reduce(into: signature[signature.index(after: open)...]) { rest, parameter in
                rest = (rest.range(of: parameter).map { rest[$0.upperBound...] } ?? rest)
            }
            let parameters = inside.map { "    \($0)," }
            return [String(signature[...open])] + parameters.dropLast() + parameters.suffix(1).map { String($0.dropLast()) } + [String(end)]
        }
    }

    /// Below the repository's root.
    let path: String
    private(set) var declarations: [Declaration] = []
    private var packageLines: [String] = []
    /// The public types, with their names only.
    private(set) var types: [Declaration] = []

    init(path: String, in root: URL) throws {
        self.path = path
        let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
        packageLines = lines.filter { $0.contains("package ") }
        var comment: [String] = []
        var index = 0
        while index < lines.count {
            let code = lines[index].trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("///") {
                comment.append(String(code.dropFirst(3)))
            } else if code.contains("public "), code.contains(" func ") || code.contains(" var ") {
                let signature = Self.signature(lines, from: &index)
                declarations.append(
                    Declaration(
                        name: Self.name(of: signature), signature: signature, comment: DocumentationComment(comment)))
                comment = []
            } else if let name = Self.typeName(code) {
                types.append(Declaration(name: name, signature: code, comment: DocumentationComment(comment)))
                comment = []
            } else if !code.hasPrefix("@") {
                comment = []
            }
            index += 1
        }
    }

    /// Whether a function is for this package only.
    func isForPackage(_ name: String) -> Bool {
        let base = name.prefix { $0 != "(" }
        return packageLines.contains { $0.contains("func \(base)(") || $0.contains("func \(base)<") }
    }

    /// The declarations with a name of the catalogue.
    func declarations(of names: [String]) -> [Declaration] {
        declarations.filter { names.contains($0.name) }
    }

    private static func typeName(_ code: String) -> String? {
        guard let match = code.firstMatch(of: /public (?:final )?(?:typealias|struct|class|enum|protocol) (\w+)/) else { return nil }
        return String(match.1)
    }

    /// Reads up to the body, which may begin some lines later.
    private static func signature(_ lines: [String], from index: inout Int) -> String {
        var signature = ""
        while index < lines.count {
            signature += (signature.isEmpty ? "" : " ") + lines[index].trimmingCharacters(in: .whitespaces)
            let depth = signature.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
            if depth == 0, signature.hasSuffix("{") || signature.hasSuffix("}") { break }
            index += 1
        }
        let declared = signature.range(of: "public ").map { signature[$0.upperBound...] } ?? signature[...]
        return tidied(body(of: declared).trimmingCharacters(in: .whitespaces))
    }

    /// A signature in one line, where it had one for each parameter.
    private static func tidied(_ signature: String) -> String {
        signature.replacing("( ", with: "(").replacing(" )", with: ")").replacing("< ", with: "<").replacing(" >(", with: ">(")
    }

    /// The code before the first brace outside of parentheses.
    private static func body(of signature: Substring) -> Substring {
        var depth = 0
        for index in signature.indices {
            switch signature[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "{" where depth == 0: return signature[..<index]
            default: break
            }
        }
        return signature
    }

    static func name(of signature: String) -> String {
        guard let function = signature.range(of: "func ") else {
            let property = signature.range(of: "var ").map { signature[$0.upperBound...] } ?? signature[...]
            return String(property.prefix { $0 != ":" && $0 != " " })
        }
        let rest = signature[function.upperBound...]
        let base = rest.prefix { $0 != "(" && $0 != "<" }.filter { $0 != "`" }
        guard let open = opening(of: rest) else { return String(base) }
        let labels = parameters(rest[rest.index(after: open)...]).map { $0.prefix { $0 != " " && $0 != ":" } }
        let list = labels.map { "\($0):" }.joined()
        return "\(base)(\(list.replacing(/(?:_:)+/, with: "_:")))"
    }

    /// The parenthesis of the parameters, behind the generic ones.
    fileprivate static func opening(of text: Substring) -> Substring.Index? {
        var depth = 0
        return text.indices.first { index in
            switch text[index] {
            case "<": depth += 1
            case ">": depth -= 1
            case "(": return depth == 0
            default: break
            }
            return false
        }
    }

    /// The parameters, up to the closing parenthesis.
    fileprivate static func parameters(_ text: Substring) -> [String] {
        var (depth, previous) = (0, Character(" "))
        var parts = [""]
        for character in text {
            switch character {
            case "(", "[", "{", "<": depth += 1
            case ")" where depth == 0: return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            case ")", "]", "}": depth -= 1
            case ">" where previous != "-": depth -= 1
            case "," where depth == 0:
                parts.append("")
                continue
            default: break
            }
            previous = character
            parts[parts.count - 1].append(character)
        }
        return parts
    }
}
