import Foundation
package import HTTPMessages

/// The secrets of requests and responses, which are hidden wherever else they occur.
package struct CollectedSecrets {
    private var values = SecretValues()
    /// The secret names that were encountered. They are not values, but a careless test may use them as values.
    private var names: Set<[UInt8]> = []

    package init() {}

    package var known: SecretValues {
        var known = values
        for name in names { known.remove(name) }
        return known
    }

    /// Learns the secrets of a body.
    package mutating func learn(_ body: Data, contentType: String) {
        guard let form = MultipartText(body, contentType: contentType) else { return learn(Array(body)) }
        for part in form.parts {
            if part.isSecret { values.insert(Array(part.content)) } else { learn(Array(part.content)) }
        }
    }

    /// Learns the secrets of any bytes.
    package mutating func learn(_ bytes: [UInt8]) {
        var scanner = SecretScanner(bytes)
        scanner.run()
        names.formUnion(scanner.names)
        for value in scanner.hidden { values.insert(value) }
    }

    /// Learns the secrets of a field: in `Authorization: Bearer x`, `Cookie: id=x; other=x`, `Set-Cookie: id=x; Path=/` the secret is `x`.
    package mutating func learn(_ field: HTTPHeaders.Field) {
        guard SecretNames.contains(field.name) else { return learn(Array(field.value.utf8)) }
        values.insert(Array(field.value.utf8))
        let name = field.name.lowercased()
        guard name.contains("cookie") else {
            if let blank = field.value.firstIndex(of: " ") { values.insert(Array(field.value[blank...].dropFirst().utf8)) }
            return
        }
        let pairs = field.value.split(separator: ";")
        for pair in name.hasPrefix("set-") ? pairs.prefix(1) : pairs[...] {
            if let equals = pair.firstIndex(of: "=") { values.insert(Array(pair[equals...].dropFirst().utf8)) }
        }
    }
}
