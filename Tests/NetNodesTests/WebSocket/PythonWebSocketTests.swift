import Foundation
import LoopbackServer
import StreamsTesting
import Testing
import WebSocketFrames

@testable import NetNodes

/// Python with the package `websockets`, in the virtual environment that `.ci/python` creates.
private final class PythonProgram: @unchecked Sendable {
    private static let interpreter = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../.build/python/bin/python3"
    )
    .standardized
    static let isAvailable = FileManager.default.isExecutableFile(atPath: interpreter.path) && hasPackage

    private static var hasPackage: Bool {
        let process = Process()
        process.executableURL = interpreter
        process.arguments = ["-c", "import websockets"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private let process = Process()
    private let output = Pipe()

    init(_ script: String, _ arguments: String...) throws {
        process.executableURL = Self.interpreter
        process.arguments = ["-c", script] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { stop() }

    /// The next text that it prints.
    var line: String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// All that it prints until it ends.
    var text: String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

    func stop() {
        guard process.isRunning else { return }
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

@Suite(
    "WebSockets of Python", .enabled(if: PythonProgram.isAvailable, "websockets is missing: .ci/python installs it"), .countsResources,
    .stopsServers)
struct PythonWebSocketTests {
    @Test("Python's server sends back texts, bytes and fragments, pings, and closes with its code")
    func client() throws {
        let python = try PythonProgram(
            """
            import asyncio, websockets
            async def serve(socket):
                async for message in socket:
                    if message == "close": await socket.close(4001, "as asked")
                    elif message == "fragments": await socket.send(["frag", "ments ", "\\u20ac"])
                    elif message == "ping": await (await socket.ping(b"x")); await socket.send("pong")
                    else: await socket.send(message)
            async def main():
                async with websockets.serve(serve, "127.0.0.1", 0, subprotocols=["chat"], max_size=None) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.Future()
            asyncio.run(main())
            """)
        defer { python.stop() }
        let request = HTTPRequest(.get, try "ws://127.0.0.1:\(python.line)/".url())
        let large = WebSocketMessage.binary(Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }))
        let messages: [WebSocketMessage] = [.text("Hello €"), large, .text("fragments"), .text("ping"), .text("close")]
        let ended = WebSocketNode(subprotocols: ["chat"]).stream(request).flatMap { connection -> Observable<WebSocketMessage> in
            #expect(connection.subprotocol == "chat")
            for message in messages { connection.send(message) }
            return connection.messages
        }.ended()
        #expect(ended.elements == [.text("Hello €"), large, .text("fragments €"), .text("pong")])
        #expect(
            ended.error as? WebSocketError
                == .closed(WebSocketCloseCode(rawValue: 4001), reason: "as asked", url: "http://127.0.0.1:\(request.url.port ?? 0)/"))
    }

    @Test("Python's client exchanges texts, bytes, fragments and pings with LoopbackServer, and sees its close")
    func server() throws {
        let server = try running(
            .webSocket("/socket", subprotocols: ["chat"]) { _, messages in
                messages.map { message in
                    if message == .text("close") { throw WebSocketClose(WebSocketCloseCode(rawValue: 4002), reason: "as asked") }
                    return message
                }
            })
        let python = try PythonProgram(
            """
            import asyncio, sys, websockets
            async def main():
                async with websockets.connect(sys.argv[1], subprotocols=["chat"], max_size=None) as socket:
                    assert socket.subprotocol == "chat"
                    await socket.send("Hello \\u20ac"); assert await socket.recv() == "Hello \\u20ac"
                    large = bytes(range(256)) * 8000
                    await socket.send(large); assert await socket.recv() == large
                    await socket.send(["frag", "ments ", "\\u20ac"]); assert await socket.recv() == "fragments \\u20ac"
                    await (await socket.ping(b"x"))
                    await socket.send("close")
                    try: await socket.recv()
                    except websockets.ConnectionClosed as error: print(error.rcvd.code, error.rcvd.reason, flush=True)
            asyncio.run(main())
            """, "ws://127.0.0.1:\(server.port)/socket")
        defer { python.stop() }
        #expect(python.text == "4002 as asked\n")
    }
}
