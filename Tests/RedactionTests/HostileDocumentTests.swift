import Foundation
import StreamsTesting
import Testing

@testable import Redaction

/// Well-formed documents of many formats, with quotes, backslashes and apostrophes before their secret.
@Suite("Secrets behind text that looks like the beginning of a string", .onOneThread, .countsResources)
struct HostileDocumentTests {
    private func scan(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: Redactor().redacted(Array(bytes)), as: UTF8.self)
    }

    @Test(arguments: HostileDocuments.known.map(\.0) + HostileDocuments.unknown.map(\.0))
    func `No secret is shown behind each noise, and where the format is known nothing else is lost`(format: String) throws {
        let make = try #require((HostileDocuments.known + HostileDocuments.unknown).first { $0.0 == format }?.1)
        let isKnown = HostileDocuments.known.contains { $0.0 == format }
        for (index, noise) in HostileDocuments.noises.enumerated() {
            for value in [("", ""), HostileDocuments.values[index % HostileDocuments.values.count]] {
                guard let text = make(noise, "password", value.0 + "hunter2222" + value.1) else { continue }
                let clean = scan(text.utf8)
                #expect(!clean.contains("hunter2222"), "\(text) -> \(clean)")
                guard isKnown else { continue }
                #expect(HostileDocument.harmless.allSatisfy(clean.contains), "\(text) -> \(clean)")
            }
        }
    }

    @Test func `No secret of two thousand composed documents is shown, and where the format is known nothing else is lost`() {
        for document in HostileDocuments.documents(2_000, seed: 1) {
            let clean = scan(document.text.utf8)
            #expect(!clean.contains(document.secret), "\(document.format): \(document.text) -> \(clean)")
            guard document.isKnown else { continue }
            #expect(HostileDocument.harmless.allSatisfy(clean.contains), "\(document.format): \(document.text) -> \(clean)")
        }
    }

    @Test func `No secret of five thousand texts of no format is shown`() {
        for text in HostileText.texts(5_000, of: "hunter2222", seed: 1) {
            let clean = scan(text.utf8)
            #expect(!clean.contains("hunter2222"), "\(text.debugDescription) -> \(clean.debugDescription)")
        }
    }

    @Test func `A document that ends at any byte, or begins at any byte before the name, shows no secret`() throws {
        for document in HostileDocuments.documents(84, seed: 2) {
            let bytes = Array(document.text.utf8)
            let name = Array(document.name.utf8)
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
            for cut in bytes.indices {
                let clean = scan(bytes[..<cut])
                #expect(!clean.contains(document.secret), "\(document.format), \(cut) bytes of \(document.text) -> \(clean)")
            }
            for cut in 0..<place {
                let clean = scan(bytes[cut...])
                #expect(!clean.contains(document.secret), "\(document.format), \(document.text) from \(cut) on -> \(clean)")
            }
        }
    }

    @Test(
        arguments: [
            ("<file path=\"C:\\\" token=\"x\" b=\"c\"/>", "<file path=\"C:\\\" token=\"***\" b=\"c\"/>"),
            ("<size>5 \"</size><u password=\"x\"/>", "<size>5 \"</size><u password=\"***\"/>"),
            ("<u a='\"' password='x' b='\"'/>", "<u a='\"' password='***' b='\"'/>"),
            ("<a t=\"token: x\" b=\"c\"/>", "<a t=\"token: ***\" b=\"c\"/>"),
            ("<r><a>token: x</a><b>c</b></r>", "<r><a>token: ***</a><b>c</b></r>"),
            ("<p><b>Password:</b> <i>x</i></p>", "<p><b>Password:</b> ***</p>"), ("<p>token: <b>x</b> y</p>", "<p>token: ***</p>"),
            ("<a>{&quot;token&quot;: &quot;x&quot;}</a>", "<a>{\"token\": \"***\"}</a>"),
            ("<a b=\"token=x&amp;c=d\"/>", "<a b=\"token=***&amp;c=d\"/>"),
            ("<a><!-- \" --><token/><b>c</b></a>", "<a><!-- \" --><token/><b>c</b></a>"),
            ("<a>5 \" &nbsp; 'b' & c</a>", "<a>5 \" &nbsp; 'b' & c</a>"),
            ("{\"a\": \"token=x\", \"b\": 1}", "{\"a\": \"token=***\", \"b\": 1}"), ("5 \" password=\"x\" b", "5 \" password=\"*** b"),
            ("Get \"http://h/?token=x\": EOF", "Get \"http://h/?token=***\": ***"), ("a=\"b c\" d=\"e\"", "a=\"b c\" d=\"e\""),
        ])
    func `What stands beside a secret stays`(text: String, expected: String) {
        #expect(scan(text.utf8) == expected)
    }

    /// Linear work takes seconds; quadratic work would take hours in a debug build, and is seen without a bound.
    @Test(arguments: ["\"token='", "<a b='", "token=token:"])
    func `A quarter of a megabyte of hostile text is read in linear time and on a constant stack`(unit: String) {
        #expect(!scan(String(repeating: unit, count: (1 << 18) / unit.utf8.count).utf8).isEmpty)
    }
}
