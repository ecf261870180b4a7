import Foundation
import StreamsTesting
import Testing

@testable import Redaction

/// Texts of forty formats, with values that contain what ends a value elsewhere.
@Suite("A corpus of texts with secrets", .onOneThread, .countsResources)
struct SecretCorpusTests {
    private let redactor = Redactor()

    @Test func `No secret of ten thousand composed texts is left, and nothing beside it is lost`() {
        for composed in SecretCorpus.texts(10_000, seed: 1) {
            let clean = redactor.redacted(text: composed.text)
            #expect(!clean.contains(composed.secret), "\(composed.format): \(composed.text.debugDescription)")
            #expect(ComposedText.harmless.allSatisfy(clean.contains), "\(composed.format): \(composed.text.debugDescription)")
        }
    }

    @Test func `A text that is cut behind its secret, or begins in the middle of another, reveals none`() {
        let beginnings = [
            "{ hello ", "5\" wide ", "C:\\dir\\", "it's ", "<p>", "{", "[", "x=", "a: {b: ", "\\", "\0", "/", "<", "&", "%", "token ",
        ]
        for composed in SecretCorpus.texts(320, seed: 2) {
            guard let last = composed.text.range(of: composed.secret, options: .backwards) else { continue }
            let rest = composed.text[last.upperBound...]
            for cut in rest.indices {
                let clean = redactor.redacted(text: String(composed.text[..<cut]))
                #expect(!clean.contains(composed.secret), "\(composed.format): \(composed.text[..<cut].debugDescription)")
            }
            for beginning in beginnings {
                let clean = redactor.redacted(text: beginning + composed.text)
                #expect(!clean.contains(composed.secret), "\(composed.format) behind \(beginning): \(composed.text.debugDescription)")
            }
        }
    }
}
