public import Foundation

/// A message of a WebSocket: a text, or bytes.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text, which is valid UTF-8.
    case text(String)
    /// Any bytes.
    case binary(Data)

    /// The bytes of the message.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }

    /// The message as text; `nil` for bytes that are not UTF-8.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .binary(let data): String(validating: data, as: UTF8.self)
        }
    }
}

extension WebSocketMessage {
    /// The reason why a WebSocket is closed.
    ///
    /// Source: [RFC 6455, 7.4](https://www.rfc-editor.org/rfc/rfc6455#section-7.4).
    public struct CloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The number.
        public var rawValue: UInt16

        /// Creates a code from its number.
        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The purpose of the connection is fulfilled.
        public static let normal = Self(rawValue: 1000)
        /// The server stops, or the user leaves.
        public static let goingAway = Self(rawValue: 1001)
        /// The peer violated the protocol.
        public static let protocolError = Self(rawValue: 1002)
        /// The peer sent a kind of message that is not accepted.
        public static let unsupportedData = Self(rawValue: 1003)
        /// The peer gave no code; this code is never sent.
        public static let noCode = Self(rawValue: 1005)
        /// A text was not valid UTF-8.
        public static let invalidPayload = Self(rawValue: 1007)
        /// A message violates a rule of the application.
        public static let policyViolation = Self(rawValue: 1008)
        /// A message is too large.
        public static let messageTooLarge = Self(rawValue: 1009)
        /// The server failed.
        public static let internalError = Self(rawValue: 1011)
        /// The server restarts.
        public static let serviceRestart = Self(rawValue: 1012)
        /// The server is overloaded.
        public static let tryAgainLater = Self(rawValue: 1013)

        public var description: String { "\(rawValue)" }

        /// Whether the code may be sent.
        package var isSendable: Bool {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }
    }
}
