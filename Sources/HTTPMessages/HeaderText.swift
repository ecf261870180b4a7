/// The bytes of header fields as text, and back.
///
/// A value is text in UTF-8. If its bytes are not UTF-8 they are read as Latin-1, so that each keeps its value.
///
/// Source: [RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
package enum HeaderText {
    /// The fields with an entity tag, which is opaque: each byte is one character, even if the bytes are UTF-8, so that a tag is sent as it
    /// was received.
    private static let entityTags = ["ETag", "If-None-Match", "If-Match", "If-Range"]

    /// Returns the value of a received field.
    package static func value(_ bytes: UnsafeRawBufferPointer, of name: String) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        if isEntityTag(name) { return latin1(bytes) }
        return name.equalsIgnoringASCIICase("Location") ? location(bytes) : text(bytes)
    }

    /// Returns any bytes of a head as text.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Returns the value of an entity tag's field to be sent, each character as one byte; returns `nil` for a field that is sent as text,
    /// in UTF-8.
    package static func opaqueBytes(_ field: HTTPHeaders.Field) -> [UInt8]? {
        guard field.value.utf8.contains(where: { $0 > 0x7F }), isEntityTag(field.name) else { return nil }
        let scalars = field.value.unicodeScalars
        return scalars.allSatisfy { $0.value <= 0xFF } ? scalars.map { UInt8($0.value) } : nil
    }

    /// Returns an entity tag as it is when it has been sent and received.
    package static func received(entityTag tag: String) -> String {
        tag.unicodeScalars.allSatisfy { $0.value <= 0xFF } ? tag : latin1(tag.utf8)
    }

    private static func isEntityTag(_ name: String) -> Bool { entityTags.contains(where: name.equalsIgnoringASCIICase) }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Converts the bytes of a URL, in which an escape stands for one byte, but a character stands for all bytes of its UTF-8.
    private static func location(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16, uppercase: true) }.joined()
    }
}
