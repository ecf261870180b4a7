import Foundation
import StreamsTesting

@testable import Redaction

/// A document of a format with one secret, behind text that is harmless there and would begin or end a string elsewhere.
struct HostileDocument {
    let format: String
    let text: String
    /// What must never be shown.
    let secret: String
    /// The name of the secret; it stands once in the text.
    let name: String
    /// Whether the rules of the format are known from the text, so that nothing but the value is redacted.
    let isKnown: Bool

    /// The parts of each text that are no secret.
    static let harmless = ["harmless0", "harmless1"]
}

/// Composes well-formed documents: the same ones for the same seed.
enum HostileDocuments {
    /// What may stand before a secret.
    static let noises = [
        "\"", "'", "\\", "C:\\", "5 \"", "it's", "\"'", "'\"", "\\\"", "\\'", "\\\\", "\"\\", "a\"b", "=\"", ": \"", "{\"", "[\"", "\" \"",
        "/>",
        "<", ">", "&", "]]", "--", "?", "=", ":", ",", "{", "}", "\t\"", "\"x=", "\"x\":", "`", "#", ";", "|", "</a>", "<!", "é\"", "%22",
        "&quot;",
    ]
    static let names = ["password", "access_token", "x-api-key", "clientSecret"]
    /// What a secret begins and ends with.
    static let values = [("", ""), ("two words ", ""), ("it's ", ""), ("a\"b", "\""), ("x\\", "\\"), ("'", "'"), ("<", ">"), ("a&", ";")]

    /// Returns a text; `nil` if the format cannot express it.
    typealias Format = @Sendable (_ noise: String, _ name: String, _ value: String) -> String?

    static let known: [(String, Format)] = [
        ("JSON", { "{\"a\": \"harmless0\", \"n\": \"\($0.json)\", \"\($1)\": \"\($2.json)\", \"b\": \"harmless1\"}" }),
        (
            "JSON with the noise in a name",
            { "{\"a\": \"harmless0\", \"\($0.json)\": 1,\n\"\($1)\" : \"\($2.json)\", \"b\": \"harmless1\"}" }
        ),
        ("JSON lines", { "{\"a\":\"harmless0\",\"n\":\"\($0.json)\"}\n{\"\($1)\":\"\($2.json)\"}\n{\"b\":\"harmless1\"}\n" }),
        ("event", { "event: x\ndata: {\"a\":\"harmless0\",\"n\":\"\($0.json)\",\"\($1)\":\"\($2.json)\",\"b\":\"harmless1\"}\n\n" }),
        (
            "JSON in JSON",
            { "{\"a\":\"harmless0\",\"x\":\"\("{\"n\": \"\($0.json)\", \"\($1)\": \"\($2.json)\", \"b\": \"harmless1\"}".json)\"}" }
        ),
        ("XML in JSON", { "{\"a\":\"harmless0\",\"x\":\"\("<u n=\"\($0.xml)\" \($1)=\"\($2.xml)\" b=\"harmless1\"/>".json)\"}" }),
        ("form in JSON", { "{\"a\":\"harmless0\",\"x\":\"\("n=\($0.percentEncoded)&\($1)=\($2.percentEncoded)&b=harmless1".json)\"}" }),
        ("attributes", { "<r a=\"harmless0\"><u n=\"\($0.xml)\" \($1)=\"\($2.xml)\" b=\"harmless1\"/></r>" }),
        (
            "attributes with apostrophes",
            { $0.contains("'") ? nil : "<r a='harmless0'><u n='\($0.xmlText)' \($1)='\($2.xml)' b=\"harmless1\"/></r>" }
        ),
        (
            "attributes with raw quotes",
            { $0.contains { "\"&<".contains($0) } ? nil : "<r a='harmless0'><u n=\"\($0)\" \($1)=\"\($2.xml)\" b='harmless1'/></r>" }
        ),
        ("attribute behind text", { "<r><a>harmless0</a><n>\($0.xmlText)</n><u \($1)=\"\($2.xml)\"/><b>harmless1</b></r>" }),
        ("attribute in a fragment", { "<a>harmless0</a><n>\($0.xmlText)</n><u \($1)=\"\($2.xml)\"/><b>harmless1</b>" }),
        ("element behind text", { "<r><a>harmless0</a><n>\($0.xmlText)</n><\($1)>\($2.xml)</\($1)><b>harmless1</b></r>" }),
        (
            "element behind CDATA",
            { $0.contains("]]") ? nil : "<r><a>harmless0</a><![CDATA[\($0)]]><\($1)>\($2.xml)</\($1)><b>harmless1</b></r>" }
        ),
        (
            "element behind a comment",
            { $0.contains("-") ? nil : "<r><a>harmless0</a><!--\($0)--><\($1)>\($2.xml)</\($1)><b>harmless1</b></r>" }
        ),
        (
            "element behind an instruction",
            { $0.contains("?") ? nil : "<r><a>harmless0</a><?n \($0)?><u \($1)=\"\($2.xml)\"/><b>harmless1</b></r>" }
        ),
        (
            "attribute behind an attribute with CDATA",
            { "<r><a n='\($0.xml)'><![CDATA[harmless0]]></a><u \($1)='\($2.xml)'/><b>harmless1</b></r>" }
        ),
        ("declared XML", { "<?xml version='1.0'?>\n<r>\n<n>\($0.xmlText)</n>harmless0\n<u \($1)=\"\($2.xml)\"/>\n<b>harmless1</b>" }),
        ("JSON in XML", { "<r><a>harmless0</a><n>\($0.xmlText)</n><j>\("{\"\($1)\":\"\($2.json)\"}".xmlText)</j><b>harmless1</b></r>" }),
        (
            "JSON in CDATA",
            {
                ($0 + $2).contains("]]")
                    ? nil : "<r><a>harmless0</a><![CDATA[{\"n\":\"\($0.json)\",\"\($1)\":\"\($2.json)\"}]]><b>harmless1</b></r>"
            }
        ),
        (
            "HTML",
            {
                "<!DOCTYPE html><html><p>harmless0<br>\($0.xmlText)</p><img alt=\"\($0.xml)\"><a data-\($1)=\"\($2.xml)\">x</a><p>harmless1</p></html>"
            }
        ),
        (
            "script",
            {
                ($0 + $2).contains("<")
                    ? nil
                    : "<html><p>harmless0</p><script>var n = \"\($0.json)\"; var \($1.identifier) = \"\($2.json)\"</script>harmless1</html>"
            }
        ),
        ("form", { "a=harmless0&n=\($0.percentEncoded)&\($1)=\($2.percentEncoded)&b=harmless1" }),
        ("URL", { "https://h/harmless0?n=\($0.percentEncoded)&\($1)=\($2.percentEncoded)&b=harmless1" }),
        ("headers", { $2.hasSuffix("\\") ? nil : "A: harmless0\r\nN: \($0)\r\n\($1): \($2)\r\nB: harmless1\r\n" }),
        (
            "YAML",
            { $2.hasSuffix("\\") || $0.contains { "|>".contains($0) } ? nil : "a: harmless0\nn: \($0)\n\($1): \($2)\nb: harmless1\n" }
        ),
    ]

    static let unknown: [(String, Format)] = [
        (
            "logfmt without escapes",
            { $0.contains("\"") || $2.contains("\"") ? nil : "a=harmless0 n=\"\($0)\" \($1)=\"\($2)\" b=harmless1" }
        ),
        ("logfmt with escapes", { "a=harmless0 n=\"\($0.json)\" \($1)=\"\($2.json)\" b=harmless1" }),
        ("log", { "12:00 \($0) \($1)=\"\($2.json)\" harmless1\n" }),
        ("log with apostrophes", { $2.contains { "'\\".contains($0) } ? nil : "12:00 \($0) \($1)='\($2)' harmless1\n" }),
        ("log without quotes", { "12:00 \($0) \($1)=\($2)\n12:01 harmless1\n" }),
        ("log with a colon", { "12:00 \($0) \($1): \($2)\n12:01 harmless1\n" }),
        ("log with JSON", { "12:00 \($0) {\"a\": 1, \"\($1)\": \"\($2.json)\"} harmless1\n" }),
        ("log with XML", { "12:00 \($0) <u n=\"x\" \($1)=\"\($2.xml)\"/> harmless1\n" }),
        ("log with an element", { "12:00 \($0) <\($1)>\($2.xml)</\($1)> harmless1\n" }),
        ("log with a URL", { "12:00 \($0) Get \"http://h/?\($1)=\($2.percentEncoded)\": harmless1\n" }),
        ("shell", { ($0 + $2).contains("'") ? nil : "N='\($0)' \($1.identifier)='\($2)' run harmless1" }),
        ("shell with joined words", { "N='\($0.shell)' \($1.identifier)='\($2.shell)' run harmless1" }),
        ("spreadsheet", { "n=\"\($0.doubled)\";\($1)=\"\($2.doubled)\";harmless1" }),
        ("TOML", { $0.contains("'") ? nil : "n = '\($0)'\n\($1.identifier) = \"\($2.json)\"\nb = \"harmless1\"\n" }),
        ("unclosed XML", { "<r><n>\($0.xmlText)</n><u \($1)=\"\($2.xml)\"/><b>harmless1</b>" }),
        ("broken JSON", { "{\"n\": \"\($0.json)\", x, \"\($1)\": \"\($2.json)\", \"b\": \"harmless1\"}" }),
    ]

    static func documents(_ count: Int, seed: UInt64) -> [HostileDocument] {
        var random = SeededGenerator(seed: seed)
        let formats = known.map { ($0.0, $0.1, true) } + unknown.map { ($0.0, $0.1, false) }
        return (0..<count).map { number in
            let (format, make, isKnown) = formats[number % formats.count]
            let secret = "s3cr3t\(number)Q"
            while true {
                let noise = (0..<Int.random(in: 1...4, using: &random)).map { _ in noises.randomElement(using: &random) ?? "" }.joined()
                let name = names.randomElement(using: &random) ?? ""
                let value = values.randomElement(using: &random) ?? ("", "")
                guard let text = make(noise, name, value.0 + secret + value.1) else { continue }
                return HostileDocument(
                    format: format, text: text, secret: secret, name: text.contains(name) ? name : name.identifier, isKnown: isKnown)
            }
        }
    }
}

/// Texts of no format: pieces of many formats in any order, with one secret behind its name.
enum HostileText {
    private static let pieces = [
        "\"", "\"", "'", "\\", "\\\"", "{", "}", "[", "]", "<", ">", "/", "</a>", "<a>", "<a b=\"", "<!--", "-->", "<![CDATA[", "]]>", "<?",
        "?>",
        "=", ":", ",", "&", ";", " ", " ", "\n", "a", "b1", "x=", "y: ", "token", "token=", "\"token\":", "key: ", "<key>", "</key>",
        "<string>",
        "Bearer ", "--token ", "-----BEGIN KEY-----", "-----END", "//u@", "%22", "&quot;", "data:", "|", "- ", "  ", "***", "[tokens]\n",
        "\"\"\"", "é", "\0", "\t", "#", "(", ")", "{\"a\":1}\n", "null", "1",
    ]

    private static let secrets = [
        (" password=\"", "\" "), ("\"password\": \"", "\","), (" password=", "\n"), ("<password>", "</password>"), ("\npassword: ", "\n"),
        (" 'password': '", "'"), (" password='", "'"),
    ]

    static func texts(_ count: Int, of secret: String, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let some = { (longest: Int) in
                (0..<Int.random(in: 0...longest, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            }
            let (name, end) = secrets[number % secrets.count]
            return some(10) + name + secret + end + some(6)
        }
    }
}

extension String {
    fileprivate var json: String {
        unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "\t" ? "\\t" : String($0) }.joined()
    }
    fileprivate var xmlText: String { replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("]]>", with: "]]&gt;") }
    fileprivate var xml: String { xmlText.replacing("\"", with: "&quot;").replacing("'", with: "&#39;") }
    fileprivate var shell: String { replacing("'", with: "'\\''") }
    fileprivate var doubled: String { replacing("\"", with: "\"\"") }
    fileprivate var identifier: String { replacing("-", with: "_") }
}
