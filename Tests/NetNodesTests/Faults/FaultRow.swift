import Foundation
import LoopbackServer
import Testing

@testable import NetNodes

/// One fault, and what a chain makes of it: a row of Docs/Errors.md.
struct FaultRow: Sendable, CustomTestStringConvertible {
    typealias Chain = URLChain<Unrouted, Void>

    let fault: String
    let error: String
    let sentence: String
    let isWorthRepeating: Bool
    /// Asks a server that shows the fault.
    let request: @Sendable (LoopbackServer, Chain) throws -> Observable<Void>

    var testDescription: String { fault }

    /// The row as it stands in the page.
    var line: String { "| \(fault) | `\(error)` | \(sentence) | \(isWorthRepeating ? "yes" : "no") |" }

    init(
        _ fault: String, _ error: String, _ sentence: String, again isWorthRepeating: Bool = false,
        request: @escaping @Sendable (LoopbackServer, Chain) throws -> Observable<Void>
    ) {
        self.fault = fault
        self.error = error
        self.sentence = sentence
        self.isWorthRepeating = isWorthRepeating
        self.request = request
    }

    /// The whole chain, from the route to a decoded model, gets this answer.
    init(
        _ fault: String, _ answer: LoopbackServer.Response, _ error: String, _ sentence: String, again isWorthRepeating: Bool = false,
        _ adjust: @escaping @Sendable (Chain) -> Chain = { $0 }
    ) {
        self.init(fault, error, sentence, again: isWorthRepeating) { server, chain in
            server.add(.get("/a") { _ in answer })
            return adjust(chain).route(.get, "\(server.baseURL)/a?key=SECRET").output(Person.self).stream().map { _ in () }
        }
    }

    /// The same for an answer that no proper server gives, written out.
    init(
        _ fault: String, raw answer: String, _ error: String, _ sentence: String, again isWorthRepeating: Bool = false,
        _ adjust: @escaping @Sendable (Chain) -> Chain = { $0 }
    ) {
        self.init(fault, .raw(Data(answer.utf8)), error, sentence, again: isWorthRepeating, adjust)
    }
}

struct Person: Codable, Sendable, Equatable {
    var name: String
    static let text = "{\"name\":\"Bob\"}"
}

extension Error {
    /// The user-facing message, with the server's address as the page writes it.
    var pageSentence: String {
        localizedDescription.replacing(/(127\.0\.0\.1|localhost):\d+/) { _ in "HOST" }
    }
}
