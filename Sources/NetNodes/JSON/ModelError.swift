public import Foundation

/// The reason why a model cannot be decoded or encoded.
public enum ModelError: Error, Equatable, Sendable {
    /// The data does not match the model. The path locates the mismatch, such as `users[3].name`.
    case undecodable(type: String, path: String, reason: String)
    /// The model contains a value that JSON cannot represent.
    case unencodable(type: String, path: String, reason: String)
}

extension ModelError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .undecodable(let type, let path, let reason): "The response does not match \(type) at \(path.orTopLevel): \(reason)."
        case .unencodable(let type, let path, let reason): "\(type) cannot be encoded at \(path.orTopLevel): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

extension ModelError {
    init(_ error: DecodingError, decoding type: Any.Type) {
        let (context, reason): (DecodingError.Context?, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "\"\(key.stringValue.escapedForDisplay)\" is missing")
            case .valueNotFound(let expected, let context): (context, "expected \(expected) but found null")
            case .typeMismatch(let expected, let context): (context, "expected \(expected)")
            case .dataCorrupted(let context): (context, context.debugDescription.escapedForDisplay.trimmingSuffix("."))
            @unknown default: (nil, "\(error)")
            }
        self = .undecodable(type: "\(type)", path: pathText(context?.codingPath ?? []), reason: reason)
    }

    init(_ error: EncodingError, encoding type: Any.Type) {
        guard case .invalidValue(_, let context) = error else {
            self = .unencodable(type: "\(type)", path: "", reason: "\(error)")
            return
        }
        let reason = context.debugDescription.escapedForDisplay.trimmingSuffix(".")
        self = .unencodable(type: "\(type)", path: pathText(context.codingPath), reason: reason)
    }

    /// Returns the same error with its path prefixed.
    func under(_ step: String) -> ModelError {
        switch self {
        case .undecodable(let type, let path, let reason): .undecodable(type: type, path: joined(step, path), reason: reason)
        case .unencodable(let type, let path, let reason): .unencodable(type: type, path: joined(step, path), reason: reason)
        }
    }
}

private func pathText(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { joined($0, $1.intValue.map { "[\($0)]" } ?? $1.stringValue.escapedForDisplay) }
}

private func joined(_ left: String, _ right: String) -> String {
    left.isEmpty || right.isEmpty || right.hasPrefix("[") ? left + right : "\(left).\(right)"
}

extension String {
    fileprivate var orTopLevel: String { isEmpty ? "top level" : self }

    package func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
