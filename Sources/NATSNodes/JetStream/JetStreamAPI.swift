import Foundation
import SocketNodes

/// Requests to the servers that store streams, in JSON.
struct JetStreamAPI: Sendable {
    let bus: NATSConnection
    /// The domain whose servers are asked; `nil` means those that the connection leads to.
    let domain: String?

    private var prefix: String { domain.map { "$JS.\($0).API" } ?? "$JS.API" }

    /// Sends a request, and decodes its answer or fails with the error in it.
    func call<Response: Decodable & Sendable>(
        _ operation: String, as type: Response.Type, _ body: @escaping @Sendable () throws -> Data = { Data() }
    ) -> Observable<Response> {
        Observable.deferred { [bus, prefix, domain] in
            if let domain { try Subject.checkName(domain) }
            return bus.request(try body(), to: "\(prefix).\(operation)").asObservable().map { message in
                try Self.decode(type, from: message.body, of: operation)
            }
        }
        .catch { throw $0.asJetStreamError }
    }

    func call<Response: Decodable & Sendable>(
        _ operation: String, as type: Response.Type, _ body: @escaping @Sendable () throws -> any Encodable
    ) -> Observable<Response> {
        call(operation, as: type) { try JSONEncoder().encode(try body()) }
    }

    /// Returns the subject of a request for messages.
    func pullSubject(stream: String, consumer: String) -> String {
        "\(prefix).CONSUMER.MSG.NEXT.\(stream).\(consumer)"
    }

    /// Requests a list page by page, for as long as its elements are consumed.
    func list<Page: APIPage>(_ operation: String, _ filter: String? = nil, as type: Page.Type) -> Observable<Page.Element> {
        @Sendable func rest(from offset: Int) -> Observable<Page.Element> {
            call(operation, as: type) { PageRequest(offset: offset, subject: filter) }.flatMap { page -> Observable<Page.Element> in
                let elements = page.elements
                let end = offset + elements.count
                guard !elements.isEmpty, end < page.total else { return .from(elements) }
                return .concat(.from(elements), .deferred { rest(from: end) })
            }
        }
        return .deferred { rest(from: 0) }
    }

    static func decode<Response: Decodable>(_ type: Response.Type, from data: Data, of operation: String) throws(NATSError) -> Response {
        if let failure = try? JSONDecoder().decode(APIFailure.self, from: data) { throw .jetStream(failure.error.asError) }
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw .undecodable(subject: operation, reason: "the answer does not have the form of JetStream")
        }
    }
}

/// A part of a list.
protocol APIPage: Decodable, Sendable {
    associatedtype Element: Sendable
    var elements: [Element] { get }
    /// The number of elements in the whole list.
    var total: Int { get }
}

private struct PageRequest: Encodable {
    let offset: Int
    let subject: String?
}

/// An answer that is an error.
struct APIFailure: Decodable, Sendable {
    struct Detail: Decodable, Sendable {
        let code: Int
        let number: Int?
        let description: String?

        private enum CodingKeys: String, CodingKey {
            case code, description
            case number = "err_code"
        }

        var asError: NATSError.JetStreamFailure {
            NATSError.JetStreamFailure(
                status: code, code: number ?? 0, reason: (description ?? "no reason given").printableBeginning.withoutFullStop)
        }
    }

    let error: Detail
}

/// An answer that only says that the request was carried out.
struct APISuccess: Decodable, Sendable {
    let success: Bool
}

extension Error {
    /// The error in terms of JetStream: without responders there is no JetStream.
    var asJetStreamError: any Error {
        guard case NATSError.noResponders = self as any Error else { return self }
        return NATSError.jetStream(NATSError.JetStreamFailure(status: 503, code: 0, reason: "no server with JetStream responds"))
    }
}
