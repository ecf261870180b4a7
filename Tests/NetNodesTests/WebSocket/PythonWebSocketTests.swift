import Foundation
import LoopbackServer
import StreamsTesting
import Testing
import WebSocketFrames

@testable import NetNodes

/// Python with the package `websockets`, in the virtual environment that `.ci/python` creates.
private enum Python {
    private static let path = URL(filePath: #filePath).appending(path: "../../../../.build/python/bin/python3").standardized.path

    static let isAvailable = (try? ForeignProgram.run(path, ["-c", "import websockets"])) == 0

    static func program(_ script: String, _ arguments: String...) throws -> ForeignProgram {
        try ForeignProgram(path, ["-c", script] + arguments)
    }
}

@Suite(
    "WebSockets of Python", .enabled(if: Python.isAvailable, "websockets is missing: .ci/python installs it"), .countsResources,
    .stopsServers, .blocksThread)
struct PythonWebSocketTests {
    @Test func `Python's server sends back texts, bytes and fragments, pings, and closes with its code`() throws {
        let python = try Python.program(
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
            ended.error as? WebSocketConnection.Failure
                == .closed(
                    WebSocketMessage.CloseCode(rawValue: 4001), reason: "as asked", url: "http://127.0.0.1:\(request.url.port ?? 0)/"))
    }

    @Test func `Python's client exchanges texts, bytes, fragments and pings with LoopbackServer, and sees its close`() throws {
        let server = try running(
            .webSocket("/socket", subprotocols: ["chat"]) { _, messages in
                messages.map { message in
                    if message == .text("close") {
                        throw LoopbackServer.WebSocketClose(WebSocketMessage.CloseCode(rawValue: 4002), reason: "as asked")
                    }
                    return message
                }
            })
        let python = try Python.program(
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
