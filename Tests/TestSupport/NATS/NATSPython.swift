import Foundation

/// The peer: `nats-py`, the client of NATS in Python.
public enum NATSPython {
    /// The interpreter of the virtual environment that `.ci/python` makes; `nil` without `nats-py`.
    public static let interpreter: URL? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let python = root.appending(path: ".build/python/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else { return nil }
        return (try? run(python, "import nats", [])) == nil ? nil : python
    }()

    public struct Failed: Error, CustomStringConvertible {
        public let description: String
    }

    /// Runs a program and returns what it has printed.
    ///
    /// - Parameter ready: called when the program has printed its first line.
    @discardableResult
    public static func run(_ python: URL, _ program: String, _ arguments: [String], ready: (() throws -> Void)? = nil) throws -> String {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = python
        process.arguments = ["-c", program] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        var text = ""
        if let ready {
            while !text.contains("\n") {
                let bytes = output.fileHandleForReading.availableData
                guard !bytes.isEmpty else { break }
                text += String(decoding: bytes, as: UTF8.self)
            }
            try ready()
        }
        text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(description: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }
        return text
    }

    /// The result of a measurement: messages a second, and seconds of processor time for each message.
    public typealias Rate = (rate: Double, processorTime: Double)

    /// Publishes messages.
    public static func publish(_ python: URL, _ url: String, size: Int, count: Int) throws -> Rate {
        let program = """
            import asyncio, nats, sys, time
            async def main(url, size, count):
                connection = await nats.connect(url)
                payload = b"x" * size
                start, processor = time.perf_counter(), time.process_time()
                for _ in range(count):
                    await connection.publish("load", payload)
                await connection.flush(timeout=600)
                print(count / (time.perf_counter() - start), (time.process_time() - processor) / count)
                await connection.close()
            asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
            """
        return try rate(try run(python, program, [url, "\(size)", "\(count)"]))
    }

    /// Receives the messages of `publish`.
    public static func receive(
        _ python: URL, _ url: String, size: Int, count: Int, publish: @escaping (Int) throws -> Void
    ) throws -> Rate {
        let program = """
            import asyncio, nats, sys, time
            async def main(url, count):
                connection = await nats.connect(url)
                received, done, start, processor = 0, asyncio.get_running_loop().create_future(), 0, 0
                async def receive(message):
                    nonlocal received, start, processor
                    if received == 0:
                        start, processor = time.perf_counter(), time.process_time()
                    received += 1
                    if received == count:
                        done.set_result(None)
                await connection.subscribe("load", cb=receive, pending_msgs_limit=-1, pending_bytes_limit=-1)
                await connection.flush()
                print("ready", flush=True)
                await done
                print(count / (time.perf_counter() - start), (time.process_time() - processor) / count)
                await connection.close()
            asyncio.run(main(sys.argv[1], int(sys.argv[2])))
            """
        return try rate(try run(python, program, [url, "\(count)"]) { try publish(count) })
    }

    private static func rate(_ output: String) throws -> Rate {
        let numbers = output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
        guard numbers.count == 2 else { throw Failed(description: output) }
        return (numbers[0], numbers[1])
    }
}
