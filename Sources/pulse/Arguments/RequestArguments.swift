import Foundation

extension ArgumentReader {
    /// Returns the request that the flags and the one operand describe.
    ///
    /// - Throws: `UsageError`.
    func request(command: String) throws -> RequestOptions {
        guard let address = operands.first else { throw UsageError("pulse \(command): missing URL; see pulse help \(command)") }
        guard operands.count == 1 else { throw UsageError("pulse \(command): one URL expected, not \(operands.count)") }
        let body = value("--data")
        var options = RequestOptions(
            url: try endpoint(address, command: command),
            method: value("--method") ?? (body == nil ? "GET" : "POST"),
            headers: try allValues("--header").enumerated().map { try header($1, number: $0 + 1, command: command) },
            body: body
        )
        guard options.method.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "-" }), !options.method.isEmpty else {
            throw UsageError("pulse \(command): \(options.method.quotedForMessage) is not a method")
        }
        if let timeout = try duration("--timeout", command: command) { options.timeout = timeout }
        return options
    }

    /// Returns the file that a download is written to.
    ///
    /// - Throws: `UsageError` unless exactly one is named.
    func target(for url: URL) throws -> URL {
        switch (value("--output"), has("--remote-name")) {
        case (nil, false): throw UsageError("pulse download: missing -o FILE, or -O for the name in the URL")
        case (_?, true): throw UsageError("pulse download: either -o FILE or -O, not both")
        case (let path?, false):
            guard !path.isEmpty, !path.hasSuffix("/") else { throw UsageError("pulse download: -o needs the name of a file") }
            return URL(filePath: path)
        case (nil, true):
            guard let name = url.fileName else {
                throw UsageError("pulse download: \(url.absoluteString.quotedForMessage) has no file name; use -o FILE")
            }
            return URL(filePath: name)
        }
    }

    /// An invalid header is identified by its number, because any part of it may be a secret.
    private func header(_ text: String, number: Int, command: String) throws -> RequestOptions.Header {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        guard parts.count == 2, !name.isEmpty else {
            throw UsageError("pulse \(command): header \(number) is not of the form NAME:VALUE")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw UsageError("pulse \(command): header \(number) contains a line break or another control character")
        }
        return RequestOptions.Header(name: name, value: parts[1].trimmingCharacters(in: .whitespaces))
    }
}

extension URL {
    /// The last component of the path, decoded; `nil` if it is no name of a file in the current folder.
    fileprivate var fileName: String? {
        let encoded = path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
        guard let name = encoded?.removingPercentEncoding, !["", ".", ".."].contains(name) else { return nil }
        return name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") } ? nil : name
    }
}
