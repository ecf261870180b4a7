import Foundation
import StreamsTesting

@testable import Redaction

/// A text of one of many formats with a secret in it, and two words that are none.
struct ComposedText {
    let format: String
    let text: String
    let secret: String
    /// The part of each of these texts that is no secret.
    static let harmless = ["harmless0", "harmless1"]
}

/// Composes texts of formats, names, values, and what may stand around them: the same ones for the same seed.
enum SecretCorpus {
    static let names = [
        "password", "token", "apiKey", "api_key2", "X-Auth-Token", "authkey", "client_secret", "dbpass", "sessionId", "userpwd", "PIN4",
        "key1", "refresh.token", "PASSWD", "credentials", "signature",
    ]

    /// The text before the secret in its value, and behind it.
    static let values = [
        ("", ""), ("two words ", ""), ("a, ", ""), ("a}b", "}"), ("dom\\", ""), ("x=", "=="), ("é ", " é"), ("a: ", ""), ("it's ", ""),
        ("a\"b", ""), ("<", ">"), ("'", "'"),
    ]

    typealias Format = @Sendable (_ name: String, _ value: String) -> String?

    static let formats: [(String, Format)] = [
        ("JSON", { "{\"a\": \"harmless0\", \"\($0)\": \"\($1.json)\", \"b\": \"harmless1\"}" }),
        ("pretty JSON", { "{\n  \"a\": \"harmless0\",\n  \"\($0)\" : \"\($1.json)\",\n  \"b\": \"harmless1\"\n}" }),
        ("object", { "{\"a\": \"harmless0\", \"\($0)\": {\"id\": \"\($1.json)\", \"n\": [1, \"\($1.json)\"]}, \"b\": \"harmless1\"}" }),
        ("array", { "[{\"a\": \"harmless0\"}, {\"\($0)\": [\"x\", \"\($1.json)\"]}, \"harmless1\"]" }),
        ("JSON in JSON", { "{\"a\": \"harmless0\", \"body\": \"\("{\"\($0)\": \"\($1.json)\", \"b\": \"harmless1\"}".json)\"}" }),
        ("JSON lines", { "{\"a\": \"harmless0\"}\n{\"\($0)\": \"\($1.json)\"}\n{\"b\": \"harmless1\"}\n" }),
        ("event", { "event: x\ndata: {\"a\": \"harmless0\", \"\($0)\":\ndata:  \"\($1.json)\",\ndata: \"b\": \"harmless1\"}\n\n" }),
        ("single quotes", { $1.contains { "'\"\\".contains($0) } ? nil : "{'a': 'harmless0', '\($0)': '\($1)', 'b': 'harmless1'}" }),
        ("object literal", { $1.contains { "'\"\\".contains($0) } ? nil : "{a: 'harmless0', \($0.identifier): '\($1)', b: 'harmless1'}" }),
        ("form", { "a=harmless0&\($0)=\($1.form)&b=harmless1" }),
        ("encoded form", { "a=harmless0&b=\("x=1&\($0)=\($1.form)".form)&c=harmless1" }),
        ("URL", { "see http://h/harmless0?\($0)=\($1.form)&b=harmless1 or not" }),
        ("header", { "GET /harmless0 HTTP/1.1\r\n\($0): \($1)\r\nHost: harmless1\r\n\r\n" }),
        ("folded header", { "GET /harmless0 HTTP/1.1\r\n\($0): x\r\n \($1)\r\nHost: harmless1\r\n\r\n" }),
        ("Digest", { "A: harmless0\nAuthorization: Digest \($0)=\"a\", response=\"\($1.json)\"\nB: harmless1" }),
        ("YAML", { "a: harmless0\n\($0): \($1)\nb: harmless1\n" }),
        ("YAML block", { "a: harmless0\nc:\n  - \($0): |\n      x\n\n      \($1)\n  - d\nb: harmless1\n" }),
        ("YAML list", { "a: harmless0\n\($0):\n  - x\n  - \($1)\nb: harmless1\n" }),
        ("YAML flow", { $1.contains { "'\"\\,:{}".contains($0) } ? nil : "{a: harmless0, \($0): \($1), b: harmless1}" }),
        ("TOML", { "a = \"harmless0\"\n\($0.identifier) = \"\($1.json)\"\nb = \"harmless1\"\n" }),
        (
            "TOML table",
            {
                "a = \"harmless0\"\n\n[x.\($0.identifier)]\nid = \"\($1.json)\"\n# note\nn = [\n  \"\($1.json)\",\n]\n\n[y]\nb = \"harmless1\"\n"
            }
        ),
        ("TOML array", { "a = \"harmless0\"\n\($0.identifier) = [\n  \"x\",\n  \"\($1.json)\",\n]\nb = \"harmless1\"\n" }),
        ("TOML text", { "a = \"harmless0\"\n\($0.identifier) = \"\"\"\nx\n\($1.json)\n\"\"\"\nb = \"harmless1\"\n" }),
        ("INI", { "a=harmless0\n[\($0.identifier)]\nid=\($1)\n[y]\nb=harmless1\n" }),
        ("properties", { "a=harmless0\n\($0) = x \\\n   \($1.replacingOccurrences(of: "\\", with: "\\\\"))\nb=harmless1\n" }),
        ("XML", { "<r path='C:\\'><a>harmless0</a><n:\($0) x='/>'>\($1.xml)</n:\($0)><b>harmless1</b></r>" }),
        ("XML attribute", { "<r><a x=\"harmless0\"/><u \($0)=\"\($1.xml)\" b=\"harmless1\"/></r>" }),
        ("CDATA", { "<r><a>harmless0</a><\($0)><![CDATA[</\($0)>\($1)]]></\($0)><b>harmless1</b></r>" }),
        ("XML comment", { "<r><a>harmless0</a><\($0)><!-- </\($0)> -->\($1.xml)</\($0)><b>harmless1</b></r>" }),
        ("nested XML", { "<r><a>harmless0</a><\($0)><\($0)>x</\($0)>\($1.xml)</\($0)><b>harmless1</b></r>" }),
        (
            "property list",
            {
                "<dict><key>a</key><string>harmless0</string>\n<key>\($0)</key>\n<string>\($1.xml)</string><key>b</key><string>harmless1</string></dict>"
            }
        ),
        ("JSON in XML", { "<r><a>harmless0</a><j>\("{\"\($0)\":\"\($1.json)\"}".xml)</j>\n<b>harmless1</b></r>" }),
        ("log", { "12:00 harmless0 \($0)=\($1)\n12:01 harmless1\n" }),
        ("Ruby", { "{:a => \"harmless0\", :\($0.identifier) => \"\($1.json)\", :b => \"harmless1\"}" }),
        ("shell", { $1.contains { "'\\".contains($0) } ? nil : "A=harmless0\nexport \($0.identifier)='\($1)'\nB=harmless1\n" }),
        ("flag", { $1.contains { "'\\".contains($0) } ? nil : "run harmless0 --\($0) '\($1)' --b harmless1" }),
        ("Bearer", { $1.contains { " \"\\&<,".contains($0) } ? nil : "x harmless0 Bearer\t\($1)\n\($0.first ?? "a") harmless1" }),
        ("Bearer form", { "a=harmless0&x=Bearer+\($1.form)&b=harmless1&\($0)=" }),
        ("user", { "see harmless0 http://\($0):\($1.form)@h/harmless1" }),
        (
            "PEM",
            {
                $1.contains("-----")
                    ? nil : "harmless0\n-----BEGIN RSA PRIVATE KEY-----\n\($0)\n\($1)\n-----END RSA PRIVATE KEY-----\nharmless1"
            }
        ),
    ]

    /// Beginnings of a text: an unclosed brace or quote, a path with backslashes.
    static let beginnings = ["", "", "", "{ hello\n", "5\" wide\n", "C:\\dir\\\n", "[note]\n", "it's\n", "<p>\n", "a // b\n"]

    static func texts(_ count: Int, seed: UInt64) -> [ComposedText] {
        var random = SeededGenerator(seed: seed)
        var texts: [ComposedText] = []
        while texts.count < count {
            let (format, make) = formats[texts.count % formats.count]
            let name = names.randomElement(using: &random) ?? ""
            let value = values.randomElement(using: &random) ?? ("", "")
            let secret = "s3cr3t\(texts.count)Q"
            guard let text = make(name, value.0 + secret + value.1) else {
                guard let plain = make(name, secret) else { continue }
                texts.append(ComposedText(format: format, text: (beginnings.randomElement(using: &random) ?? "") + plain, secret: secret))
                continue
            }
            texts.append(ComposedText(format: format, text: (beginnings.randomElement(using: &random) ?? "") + text, secret: secret))
        }
        return texts
    }
}

extension String {
    fileprivate var json: String {
        unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "\n" ? "\\n" : String($0) }.joined()
    }
    fileprivate var form: String { percentEncoded }
    fileprivate var identifier: String { filter { $0.isLetter || $0.isNumber || $0 == "_" } }
    fileprivate var xml: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing(
            "'", with: "&apos;")
    }
}
