import Foundation

/// Python's own HTTP server on a folder with a file `data.json` in it: a server that we did not write.
final class PythonServer: Sendable {
    static let isInstalled = ["/usr/bin", "/usr/local/bin", "/root/.pyenv/shims"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }

    let url: String
    private let child: Child
    private let folder: TestFolder

    init() async throws {
        folder = try TestFolder()
        _ = try folder.file("data.json", #"{"a":[1,2]}"#)
        let said: String
        (child, said) = try await Child.python(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path])
        // Its first line tells the port that it was given: "Serving HTTP on 127.0.0.1 port 40123 (...) ...".
        let words = said.split(separator: " ")
        let port = words.firstIndex(of: "port").map { words[$0 + 1] } ?? "0"
        url = "http://127.0.0.1:\(port)"
    }

    func stop() async {
        child.send(SIGTERM)
        _ = await child.end()
    }
}

extension Child {
    /// Python with these arguments, and what it has printed up to the end of its first line.
    static func python(_ arguments: [String]) async throws -> (Child, said: String) {
        let output = try Pipe()
        let child = try start(["python3"] + arguments, program: ["/usr/bin/env"], output: output.write)
        output.closeWrite()
        let reader = Reader(output.read)
        _ = await reader.wait { $0.contains(UInt8(ascii: "\n")) }
        return (child, reader.text)
    }
}
