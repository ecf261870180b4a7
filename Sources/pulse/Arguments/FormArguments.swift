import Foundation
import NetNodes

/// The parts of a multipart form, written as for curl.
extension ArgumentReader {
    func parts(command: String) throws -> [MultipartForm.Part] {
        var count = 0
        return try given.compactMap { flag, value in
            guard BodyFlags.form.contains(flag) else { return nil }
            count += 1
            guard let (name, content) = value.separated(by: "="), !name.isEmpty else {
                throw UsageError(
                    "pulse \(command): \(flag) \(count) is not of the form NAME=VALUE\(flag == "--form" ? " or NAME=@FILE" : "")")
            }
            return flag == "--form" ? try Self.part(name, content, "pulse \(command): \(flag) \(count)") : .field(name, content)
        }
    }

    /// Parses what follows `NAME=`: a text, `@FILE` for a file, or `<FILE` for the text in it.
    private static func part(_ name: String, _ value: String, _ place: String) throws -> MultipartForm.Part {
        guard value.hasPrefix("@") else { return try field(name, value) }
        let words = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        var part = try attachment(name, words[0])
        for word in words.dropFirst() {
            switch word.separated(by: "=") {
            case ("type", let type)?: part.type = type
            case ("charset", _)?: part.type = "\(part.type ?? "");\(word)"
            case ("filename", let fileName)?: part.fileName = fileName
            default: throw UsageError("\(place) has something other than ;type=TYPE or ;filename=NAME after the file")
            }
        }
        return part
    }

    /// A file is read while it is sent; what has no length is read now.
    private static func attachment(_ name: String, _ path: String) throws -> MultipartForm.Part {
        if path == "-" { return .data(name, try FileHandle.standardInput.contents(of: "/dev/stdin"), fileName: "-") }
        let file = try file(path)
        let type = MediaType.ofFile(file) ?? MediaType.bytes
        guard !file.isRegularFile else { return .file(name, file, type: type) }
        return .data(name, try FileHandle.reading(path).contents(of: path), fileName: file.lastPathComponent, type: type)
    }

    /// A text may have `;type=TYPE` after it; any other semicolon is a part of it.
    private static func field(_ name: String, _ value: String) throws -> MultipartForm.Part {
        let pattern = /(.*?);type=([^\/;=\s]+\/[^\/;=\s]+(?:; *charset=[^;\s]+)?)/.dotMatchesNewlines()
        let match = value.wholeMatch(of: pattern)
        let text = match.map { String($0.1) } ?? value
        let isFile = text.hasPrefix("<")
        let path = String(text.dropFirst())
        let handle = try isFile && path != "-" ? FileHandle.reading(path) : .standardInput
        let content = try isFile ? handle.contents(of: path) : Data(text.utf8)
        return MultipartForm.Part(name: name, content: .data(content), type: match.map { String($0.2) })
    }
}
