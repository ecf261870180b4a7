public import Foundation

/// A message of a subject.
public struct Message<Body: Sendable>: Sendable {
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
    public func map<Result>(_ transform: (Body) throws -> Result) rethrows -> Message<Result> {
        Message<Result>(subject: subject, body: try transform(body), reply: reply, headers: headers)
    }
}

extension Message: Equatable where Body: Equatable {}

extension Message where Body == Data {
    /// The payload as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
