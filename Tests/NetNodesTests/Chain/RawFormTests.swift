import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// A chain sends and reads a DTO through its own raw form, as the nodes by hand do.
@Suite("Raw forms in a chain", .onOneThread, .countsResources)
struct RawFormTests {
    /// Codable, with a raw form of its own.
    struct Tea: Codable, RawMappable, Equatable {
        var label: String

        func toRaw() -> JSON { ["l": JSON(label)] }

        static func from(raw: JSON) throws -> Tea {
            guard let label = raw["l"]?.string else { throw JSON.ModelFailure.undecodable(type: "Tea", path: "l", reason: "missing") }
            return Tea(label: label)
        }
    }

    /// Not Codable.
    struct Cup: RawMappable, Equatable {
        var size: Int

        func toRaw() -> JSON { JSON(size) }

        static func from(raw: JSON) throws -> Cup {
            guard let size = raw.int else { throw JSON.ModelFailure.undecodable(type: "Cup", path: "", reason: "expected a number") }
            return Cup(size: size)
        }
    }

    struct Pot: DTOConvertible, Equatable {
        var size: Int
        func toDTO() -> Cup { Cup(size: size) }
        static func from(dto: Cup) -> Pot { Pot(size: dto.size) }
    }

    /// Its raw data are bytes.
    struct Leaf: RawMappable, Equatable {
        var text: String
        func toRaw() -> Data { Data(text.utf8) }
        static func from(raw: Data) -> Leaf { Leaf(text: String(decoding: raw, as: UTF8.self)) }
    }

    /// Codable with the raw form that follows from that.
    struct Dated: Codable, RawMappable, Equatable { var soldAt: Date }

    /// A chain to a server that sends back what it gets.
    private let echo = URLChain(
        transport: StubTransport { request in
            guard case .data(let body) = request.body else { return .json("", status: 204, to: request) }
            return HTTPResponse(head: HTTPResponse.Head(status: 200, url: request.url), body: body)
        }
    ).route(.post, "https://example.com/teas")

    @Test func `A DTO is sent and read through its raw form, although it is Codable`() {
        #expect(echo.input(Tea.self).data.stream(Tea(label: "green")).ended().elements == [Data(#"{"l":"green"}"#.utf8)])
        #expect(echo.input(Tea.self).output(Tea.self).stream(Tea(label: "green")).ended().elements == [Tea(label: "green")])
        #expect(echo.input([Tea].self).output([Tea].self).stream([Tea(label: "a")]).ended().elements == [[Tea(label: "a")]])
        let failed = echo.input(JSON.self).output(Tea.self).stream(["label": "green"]).ended()
        #expect(failed.error as? JSON.ModelFailure == .undecodable(type: "Tea", path: "l", reason: "missing"))
    }

    @Test func `A DTO that is not Codable, a model of it, and one of bytes have a place in a chain`() {
        #expect(echo.input(Cup.self).output(Cup.self).stream(Cup(size: 2)).ended().elements == [Cup(size: 2)])
        #expect(echo.input(Pot.self).output(Pot.self).stream(Pot(size: 2)).ended().elements == [Pot(size: 2)])
        #expect(echo.input([Pot].self).output([Pot].self).stream([Pot(size: 2)]).ended().elements == [[Pot(size: 2)]])
        #expect(echo.input(Leaf.self).output(Leaf.self).stream(Leaf(text: "x")).ended().elements == [Leaf(text: "x")])
        #expect(echo.input([JSON].self).output([JSON].self).stream([1, "a"]).ended().elements == [[1, "a"]])
    }

    @Test func `The decoder of the chain decodes raw values too`() {
        let dated = echo.decoder {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
        let sold = dated.input(JSON.self).output(Dated.self).stream(["sold_at": "1970-01-01T00:00:07Z"])
        #expect(sold.ended().elements == [Dated(soldAt: Date(timeIntervalSince1970: 7))])
        #expect(ChainDecoder.current == nil)
    }

    @Test func `A response without content is an empty list or nothing, as it is for Codable types`() {
        #expect(echo.output([Tea].self).stream().ended().elements == [[]])
        #expect(echo.output(Tea?.self).stream().ended().elements == [nil])
        let missing = JSON.ModelFailure.undecodable(type: "Tea", path: "", reason: "the response is empty")
        #expect(echo.output(Tea.self).stream().ended().error as? JSON.ModelFailure == missing)
        #expect(echo.output(Leaf.self).stream().ended().elements == [Leaf(text: "")])
    }

    @Test func `Pages are read through their raw form`() {
        let pages = URLChain(transport: StubTransport { .json("3", to: $0) }).route(.get, "https://example.com/teas")
            .pages(Cup.self, .cursor { _ in nil })
        #expect(pages.stream().ended().elements == [Cup(size: 3)])
    }
}
