import Foundation

/// Python's own HTTP server on a folder with a file `data.json` in it: a server that we did not write.
final class PythonServer: Sendable {
    static let isInstalled = ["/usr/bin", "/usr/local/bin", "/root/.pyenv/shims"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }

    let url: String
    private let child: Child
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pulse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"a":[1,2]}"#.utf8).write(to: folder.appending(path: "data.json"))
        let output = try Pipe()
        let arguments = ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path]
        child = try Child.start(arguments, program: ["/usr/bin/env"], output: output.write)
        output.closeWrite()
        // Its first line tells the port that it was given: "Serving HTTP on 127.0.0.1 port 40123 (...) ...".
        let reader = Reader(output.read)
        _ = await reader.wait() { $0.contains(UInt8(ascii: "\n")) }
        let words = reader.text.split(separator: " ")
        let port = words.firstIndex(of: "port").map { words[$0 + 1] } ?? "0"
        url = "http://127.0.0.1:\(port)"
    }

    func stop() async {
        child.send(SIGTERM)
        _ = await child.end()
        try? FileManager.default.removeItem(at: folder)
    }
}
