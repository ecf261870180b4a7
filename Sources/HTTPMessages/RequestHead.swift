internal import Bytes
import Foundation

extension MessageHead {
    /// The fields that frame the body, and the host: a request has one of each.
    private static let framing = ["Host", "Content-Length"]

    /// Creates the head of a request for a URL, as libcurl sends it without the fields that only libcurl adds: `User-Agent`, `Accept` and
    /// `Accept-Encoding`.
    ///
    /// - Parameters:
    ///   - headers: the fields of the caller; of the host they may have another one.
    ///   - bodyLength: the length of the body; `nil` for a request without one.
    package init(_ method: String, _ url: URL, _ headers: HTTPHeaders, bodyLength: Int? = nil) {
        var fields: HTTPHeaders = ["Host": headers["Host"] ?? url.hostField]
        if headers["Authorization"] == nil, let credentials = url.basicCredentials { fields.append("Authorization", credentials) }
        for field in headers where !Self.framing.contains(where: field.name.equalsIgnoringASCIICase) {
            fields.append(field.name, field.value)
        }
        if let bodyLength { fields.append("Content-Length", "\(bodyLength)") }
        self.init(.request(method: method, target: url.requestTarget), headers: fields)
    }
}
