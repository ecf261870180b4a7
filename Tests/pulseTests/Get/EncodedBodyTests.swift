import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@Suite("A body in an encoding that was not asked for can be had", .serialized, .countsResources, .stopsServers)
struct EncodedBodyTests {
    @Test(arguments: ["br", "zstd", "rot13", "gzip, br"])
    func `A body in an encoding that was not asked for is 61, and is not lost with --raw`(encoding: String) async throws {
        let bytes: [UInt8] = [0x0B, 0x02, 0x80, 0x00, 0x1B, 0xFF]
        let server = try running(
            .get("/x") { _ in LoopbackServer.Response(headers: ["Content-Encoding": encoding], body: Data(bytes)) })
        let url = "\(server.baseURL)/x"
        let result = try await ShellRun.pulse(["get", url])
        let reason = "it is encoded with \"\(encoding)\", which was not asked for; --raw prints it as received"
        #expect(result == .init(end: .exit(61), output: "", errors: "pulse: The body of \(url) cannot be decoded: \(reason)\n"))
        let folder = try TestFolder()
        let shell = "\"$0\" get --raw \"$1\" > '\(folder.path)/raw'"
        #expect(try await ShellRun.run(["/bin/sh"], ["-c", shell, PulseBinary.path, url]) == .quietSuccess)
        #expect(try Data(contentsOf: folder.url.appending(path: "raw")) == Data(bytes))
        #expect(server.recordedRequests.last?.headers["Accept-Encoding"] == "identity")
        #expect(try await ShellRun.pulse(["download", url, "-o", "\(folder.path)/f"]) == .quietSuccess)
        #expect(try Data(contentsOf: folder.url.appending(path: "f")) == Data(bytes))
    }
}
