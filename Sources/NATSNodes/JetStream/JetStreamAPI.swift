import Foundation
import SocketNodes

/// Requests to the servers that store streams, in JSON.
struct JetStreamAPI: Sendable {
    let bus: NATSConnection

    private static let prefix = "$JS.API"

    /// Sends a request, and decodes its answer or fails with the error in it.
    func call<Response: Decodable & Sendable>(
        _ operation: String, as type: Response.Type, _ body: @escaping @Sendable () throws -> Data = { Data() }
    ) -> Observable<Response> {
        Observable.deferred { [bus] in
            bus.request(try body(), to: "\(Self.prefix).\(operation)").asObservable().map { message in
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

    /// The subject of a request for messages.
    static func pullSubject(stream: String, consumer: String) -> String {
        "\(prefix).CONSUMER.MSG.NEXT.\(stream).\(consumer)"
    }

    static func decode<Response: Decodable>(_ type: Response.Type, from data: Data, of operation: String) throws(NATSError) -> Response {
        if let failure = try? JSONDecoder().decode(APIFailure.self, from: data) { throw .jetStream(failure.error.asError) }
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw .undecodable(subject: operation, reason: "the answer does not have the form of JetStream")
        }
    }
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

        var asError: JetStreamError {
            JetStreamError(status: code, code: number ?? 0, reason: (description ?? "no reason given").printableBeginning.withoutFullStop)
        }
    }

    let error: Detail
}

/// An answer that says only that it was done.
struct APISuccess: Decodable, Sendable {
    let success: Bool
}

extension Error {
    /// Without responders there is no JetStream.
    var asJetStreamError: any Error {
        guard case NATSError.noResponders = self as any Error else { return self }
        return NATSError.jetStream(JetStreamError(status: 503, code: 0, reason: "no server with JetStream responds"))
    }
}
