import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite(
    "With nats-py at the other end",
    .enabled(if: NATSServer.isInstalled && NATSPython.interpreter != nil, "nats-server or nats-py (.ci/python) is not installed"),
    .blocksThread)
struct PythonTests {
    @Test func `It receives our messages with their headers, and answers our questions`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let program = """
            import asyncio, nats, sys
            async def main(url):
                connection = await nats.connect(url)
                done = asyncio.get_running_loop().create_future()
                lines = []
                async def receive(message):
                    lines.append(f"{message.subject} {message.data.decode()} {(message.headers or {}).get('A')}")
                    if len(lines) == 3:
                        done.set_result(None)
                async def answer(message):
                    await message.respond(message.data[::-1])
                await connection.subscribe("quotes.>", cb=receive)
                await connection.subscribe("reverse", cb=answer)
                await connection.flush()
                print("ready", flush=True)
                await done
                print("\\n".join(lines))
                await connection.drain()
            asyncio.run(main(sys.argv[1]))
            """
        let answers = Lock<[String]>([])
        let output = try NATSPython.run(try #require(NATSPython.interpreter), program, [server.url]) {
            let reversed = try bus.requestNode("reverse", String.self, String.self).stream("abc").ended().get()
            answers.withLock { $0 = reversed }
            try bus.publish("1", to: "quotes.a", headers: ["A": "b"])
            try bus.publish("", to: "quotes.a.b")
            try bus.publish(["x": 1], to: "quotes.c")
            try bus.settle()
        }
        #expect(answers.withLock { $0 } == ["cba"])
        #expect(output.split(separator: "\n").dropFirst() == ["quotes.a 1 b", "quotes.a.b  None", "quotes.c {\"x\":1} None"])
    }

    @Test func `We receive its messages, answer its questions, and consume what it stores; it reads what we store`() throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: patiently())
        let stream = bus.stream("ORDERS")
        _ = try stream.create { $0.storage = .memory }.ended().one()
        let service = bus.serve("double", as: Int.self) { .just($0 * 2) }.subscribe()
        defer { service.dispose() }
        let received = Recorder(bus.messages("greetings"))
        try Observable.from([1, 2]).store(in: stream, id: { $0 }).ended().get()
        try bus.bucket("prices", of: Int.self).create(storage: .memory).ended().get()
        _ = try bus.bucket("prices", of: Int.self).put(12, "ACME").ended().one()
        let program = """
            import asyncio, nats, sys
            async def main(url):
                connection = await nats.connect(url)
                await connection.publish("greetings", b"hello", headers={"A": "b"})
                print((await connection.request("double", b"21", timeout=60)).data.decode())
                jetstream = connection.jetstream()
                await jetstream.publish("ORDERS", b"3")
                reader = await jetstream.pull_subscribe("ORDERS", "python")
                for message in await reader.fetch(3, timeout=60):
                    print(message.data.decode(), message.headers and message.headers.get("Nats-Msg-Id"))
                    await message.ack()
                print((await (await jetstream.key_value("prices")).get("ACME")).value.decode())
                await connection.close()
            asyncio.run(main(sys.argv[1]))
            """
        let output = try NATSPython.run(try #require(NATSPython.interpreter), program, [server.url])
        #expect(output.split(separator: "\n") == ["42", "1 1", "2 2", "3 None", "12"])
        let greeting = try #require(try received.first(1).first)
        #expect(greeting.text == "hello" && greeting.headers["A"] == "b")
        let consumed = Recorder(stream.consume("swift", as: Int.self).do(onNext: { $0.acknowledge() }).map(\.body))
        let numbers = try consumed.first(3)
        #expect(numbers == [1, 2, 3])
    }
}

@Suite("A cluster under failures", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct ClusterTests {
    @Test func `A server is killed and connections are cut, and nothing acknowledged is lost, stored twice or out of order`() throws {
        let report = try ClusterProof(messages: isSanitized ? 300 : 600, kills: 1).run()
        #expect(report.isProof, "\(report)")
        #expect(report.kills == 1)
    }
}
