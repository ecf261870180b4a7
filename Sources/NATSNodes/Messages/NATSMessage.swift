public import Foundation

/// A message of a subject.
public struct NATSMessage<Body: Sendable>: Sendable {
    /// The subject to which it was published: also for a subscription with wildcards, the subject itself.
    public var subject: String
    /// The payload, or the value that was decoded from it.
    public var body: Body
    /// The subject on which an answer is expected.
    public var reply: String?
    /// The headers of the message; empty if it has none.
    public var headers: NATSHeaders

    /// Creates a message, for stubs in tests.
    public init(subject: String, body: Body, reply: String? = nil, headers: NATSHeaders = NATSHeaders()) {
        self.subject = subject
        self.body = body
        self.reply = reply
        self.headers = headers
    }

    /// Returns the message with another body.
    public func map<Result>(_ transform: (Body) throws -> Result) rethrows -> NATSMessage<Result> {
        NATSMessage<Result>(subject: subject, body: try transform(body), reply: reply, headers: headers)
    }
}

extension NATSMessage: Equatable where Body: Equatable {}

extension NATSMessage where Body == Data {
    /// The payload as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Converts values to payloads and back: `Data` and `String` as they are, everything else as JSON.
struct BodyCoding: Sendable {
    let configuration: NATSConnection.Configuration

    /// Returns a closure that encodes values of a subject; one thread at a time may use it.
    func makeEncoder<Body: Encodable>(for type: Body.Type) -> (Body, _ subject: String) throws(NATSError) -> Data {
        let encoder = configuration.encoder()
        return { (body, subject) throws(NATSError) in
            if let data = body as? Data { return data }
            if let text = body as? String { return Data(text.utf8) }
            do { return try encoder.encode(body) } catch {
                throw .unencodable(subject: subject, reason: Self.reason(of: error))
            }
        }
    }

    func encode<Body: Encodable>(_ body: Body, for subject: String) throws(NATSError) -> Data {
        try makeEncoder(for: Body.self)(body, subject)
    }

    /// Returns a closure that decodes payloads of a subject; one thread at a time may use it.
    func makeDecoder<Body: Decodable>(for type: Body.Type) -> (Data, _ subject: String) throws(NATSError) -> Body {
        let decoder = configuration.decoder()
        return { (data, subject) throws(NATSError) in
            if let data = data as? Body { return data }
            if Body.self == String.self, let text = String(data: data, encoding: .utf8) as? Body { return text }
            do { return try decoder.decode(Body.self, from: data) } catch {
                throw .undecodable(subject: subject, reason: Self.reason(of: error))
            }
        }
    }

    func decode<Body: Decodable>(_ type: Body.Type, from data: Data, of subject: String) throws(NATSError) -> Body {
        try makeDecoder(for: type)(data, subject)
    }

    /// Returns the kind and the place of an error; never the value.
    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(let type, let context): "\(path(context.codingPath)) is no \(type)"
        case DecodingError.valueNotFound(_, let context): "\(path(context.codingPath)) is null"
        case DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not JSON" : "\(path(context.codingPath)) does not fit"
        case EncodingError.invalidValue(_, let context): "\(path(context.codingPath)) cannot be encoded"
        default: typeName(of: error)
        }
    }

    private static func path(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the value" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".").printableBeginning
    }
}
