import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Routing", .countsResources, .stopsServers, .blocksThread)
struct RoutingTests {
    @Test func `A literal path beats a parameter, a parameter beats the rest, regardless of order`() throws {
        let routes: [LoopbackServer.Route] = [
            .get("/quotes/*") { _ in .text("rest") }, .get("/quotes/stream") { _ in .text("literal") },
            .get("/quotes/:symbol") { .text("parameter \($0.parameters["symbol"] ?? "")") },
        ]
        for order in [routes, routes.reversed()] {
            let client = try WireClient(port: running(order).port)
            #expect(try client.ask("/quotes/stream").text == "literal")
            #expect(try client.ask("/quotes/ACME").text == "parameter ACME")
            #expect(try client.ask("/quotes/a/b").text == "rest")
        }
    }

    @Test func `Of equal routes the later one responds, also when it is added while the server is running`() throws {
        let server = try running(.get("/a/:x") { _ in .text("first") })
        let client = try WireClient(port: server.port)
        #expect(try client.ask("/a/1").text == "first")
        server.add(.get("/a/:y") { _ in .text("second") })
        #expect(try client.ask("/a/1").text == "second")
    }

    @Test func `Path and query are percent-decoded`() throws {
        let client = try connected(
            to: .get("/p/:name") { request in
                let items = request.queryItems.map { "\($0.name)=\($0.value ?? "nil")" }
                return .text(([request.parameters["name"] ?? ""] + items).joined(separator: "|"))
            })
        #expect(try client.ask("/p/a%2Fb%20%C3%BC?x=1%2B1&y=a+b&x=&flag&bad=%zz").text == "a/b ü|x=1+1|y=a b|x=|flag=nil|bad=%zz")
    }

    @Test func `An unknown path is 404, another method is 405 with Allow, malformed escapes are 400`() throws {
        let client = try connected(to: .get("/a") { _ in .empty() }, .post("/a") { _ in .empty() })
        #expect(try client.ask("/b").status == 404)
        #expect(try client.ask("/a/").status == 404)
        let refused = try client.ask("/a", method: "DELETE")
        #expect(refused.status == 405)
        #expect(refused["Allow"] == "GET, HEAD, OPTIONS, POST")
        #expect(try client.ask("/a%4").status == 400)
        #expect(try client.ask("/a%ff").status == 400)
    }

    @Test func `OPTIONS lists the allowed methods`() throws {
        let client = try connected(to: .put("/a") { _ in .empty() })
        let reply = try client.ask("/a", method: "OPTIONS")
        #expect(reply.status == 204)
        #expect(reply["Allow"] == "OPTIONS, PUT")
        #expect(try client.ask("*", method: "OPTIONS").status == 204)
    }

    @Test func `A route for any method responds to each`() throws {
        let client = try connected(to: .any("/") { .text($0.method) })
        for method in ["GET", "PATCH", "REPORT"] { #expect(try client.ask("/", method: method).text == method) }
    }

    @Test func `JSON is received and sent`() throws {
        let client = try connected(to: .post("/sum") { .json(["sum": try $0.json(as: [Int].self).reduce(0, +)]) })
        let reply = try client.ask("/sum", method: "POST", body: "[1,2,3]")
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply.text == #"{"sum":6}"#)
        #expect(try client.ask("/sum", method: "POST", body: "[").status == 500)
    }

    @Test func `A value that cannot be encoded becomes a 500 with the reason`() {
        #expect(LoopbackServer.Response.json(["x": Double.nan]).status == 500)
    }
}
