import Bytes
import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("JSON lines", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct JSONLinesTests {
    private static let text = "\u{FEFF}{\"name\": \"a\"}\r\n\n  \n{\"name\": \"é\"}\n{\"name\": \"\\n\"}"

    struct Item: Codable, Sendable, Equatable {
        var name: String
    }

    private static let items = ["a", "é", "\n"].map { Item(name: $0) }

    /// A server that sends the lines of a subject as they come.
    private func serving(_ lines: PublishSubject<String>) throws -> (server: LoopbackServer, items: AnyNode<Void, Item>) {
        let server = try running(.get("/items") { _ in .lines(lines.asObservable()) })
        return (server, URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "items").lines(Item.self))
    }

    @Test func `Any split of the bytes gives the same values`() {
        let bytes = Data(Self.text.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var chunks: [Data] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 0...7, using: &random)
                chunks.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(Observable.from(chunks).jsonLines(as: Item.self).ended().elements == Self.items)
        }
    }

    @Test func `Random bytes give the same lines however they are split`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let bytes = Data((0..<Int.random(in: 0...60)).map { _ in [0x0A, 0x0D, 0x61, 0xFF].randomElement(using: &random) ?? 0x0A })
            var whole = LineSplitter()
            let expected = try whole.consume(bytes) + [whole.finish()].compactMap { $0 }
            var cut = LineSplitter()
            var lines: [HTTPResponse.Line] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...5, using: &random)
                lines += try cut.consume(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(lines + [cut.finish()].compactMap { $0 } == expected)
            #expect(expected.map(\.number) == Array(1..<(expected.count + 1)))
        }
    }

    @Test func `A value is emitted as soon as its line is received, on an endless response, and disposing cancels it`() throws {
        let lines = PublishSubject<String>()
        let (server, items) = try serving(lines)
        let (isRequested, first, closed) = (server.arrival(), Slot<Item>(), server.closing())
        let subscription = items.stream().subscribe(onNext: { first.fill($0) })
        #expect(isRequested.wait() == true)
        // The server subscribes to the lines when it has sent the head.
        while first.wait(0.01) == nil { lines.onNext("{\"name\": \"now\"}") }
        #expect(first.wait() == Item(name: "now"))
        subscription.dispose()
        #expect(closed.wait()?.interrupted != nil)
        lines.onCompleted()
    }

    @Test func `A line that cannot be decoded is reported with its number, after the values before it`() throws {
        func ended(_ text: String) -> Ended<Item> { Observable.just(Data(text.utf8)).jsonLines(as: Item.self).ended() }
        let broken = ended("{\"name\": \"a\"}\n\n{\"name\"\n")
        #expect(broken.elements == [Item(name: "a")])
        #expect(broken.error?.localizedDescription.hasPrefix("Line 3 is not JSON") == true)
        let wrong = ended("{\"name\": \"a\"}\n{\"name\": 1}").error as? JSON.LinesFailure
        #expect(wrong?.description.hasPrefix("Line 2: The response does not match Item at name: ") == true)
        let long = Observable.just(Data(count: 100)).lines(limit: 50).ended().error
        #expect(long as? JSON.LinesFailure == .lineTooLong(number: 1, limit: 50))
    }

    @Test func `Lines of text are read from bytes that are split anywhere`() {
        let bytes = Observable.of("ad", "a\r\n\nB\u{e9}", "b\u{e9}\u{0}").map { Data($0.utf8) }.endWith(Data([0xff]))
        #expect(bytes.lines().map(\.text).ended().elements == ["ada", "", "B\u{e9}b\u{e9}\u{0}\u{fffd}"])
    }

    @Test func `An unsuccessful status is an HTTP error with its body, a lost connection a technical error`() throws {
        let server = try running(
            .get("/missing") { _ in .text("no", status: 404) },
            .get("/broken") { _ in .text("{\"name\": \"a\"}\n{\"na").with(.contentLength(100)) })
        func ended(_ path: String) throws -> Ended<Item> {
            URLChain(transport: CurlTransport()).route(.get, try server.baseURL + path).lines(Item.self).stream().ended()
        }
        #expect(try (ended("missing").error as? HTTPError)?.failure.body == Data("no".utf8))
        let broken = try ended("broken")
        #expect(broken.elements == [Item(name: "a")])
        #expect(broken.error is TechnicalError)
    }
}
