import Testing

@testable import Bytes

@Suite("The classes of bytes")
struct ASCIITests {
    private static let all = UInt8.min...UInt8.max

    private static func bytes(where isMember: (UInt8) -> Bool) -> String {
        String(decoding: all.filter(isMember), as: UTF8.self)
    }

    @Test func `Each class has exactly the bytes of its name`() {
        let small = "abcdefghijklmnopqrstuvwxyz"
        let letters = small.uppercased() + small
        #expect(Self.bytes(where: \.isBlank) == "\t ")
        #expect(Self.bytes(where: \.isLineEnd) == "\n\r")
        #expect(Self.bytes(where: \.isDigit) == "0123456789")
        #expect(Self.bytes(where: \.isLetter) == letters)
        #expect(Self.bytes(where: \.isAlphanumeric) == "0123456789" + letters)
        #expect(Self.bytes(where: \.isUnreserved) == "-.0123456789" + small.uppercased() + "_" + small + "~")
        #expect(Self.bytes { $0.asciiLowercased != $0 } == small.uppercased())
        #expect(Self.bytes { $0.hexadecimalValue != nil } == "0123456789ABCDEFabcdef")
    }

    @Test func `A hexadecimal digit has the value that Swift reads`() {
        for byte in Self.all {
            #expect(byte.hexadecimalValue == Int(String(decoding: [byte], as: UTF8.self), radix: 16), "\(byte)")
        }
    }

    @Test func `Names are equal without regard to the case of letters of ASCII, and of no others`() {
        #expect("Content-LENGTH".equalsIgnoringASCIICase("content-length"))
        #expect(!"Host".equalsIgnoringASCIICase("Hos"))
        #expect(!"@".equalsIgnoringASCIICase("`"))
        #expect(!"Ä".equalsIgnoringASCIICase("ä"))
    }

    @Test(arguments: [("", ""), (" \t ", ""), ("a", "a"), (" a b\t", "a b"), ("\ta", "a"), ("a\n ", "a\n")])
    func `Blanks at either end are trimmed, and nothing else`(text: String, trimmed: String) {
        #expect(String(Substring(text.utf8.trimmingBlanks)) == trimmed)
        #expect(Array(text.utf8).withUnsafeBytes { String(decoding: $0.withoutBlanks, as: UTF8.self) } == trimmed)
    }

    @Test func `A number has two digits for each byte, and is read from them`() {
        #expect(UInt8(0xA).hexadecimal == "0a")
        #expect(UInt16(0x2029).hexadecimal == "2029")
        #expect(UInt64(0xDEAD).hexadecimal == "000000000000dead")
        #expect(UInt64.max.hexadecimal == "ffffffffffffffff")
        #expect("dEaD".utf8.hexadecimalNumber(as: UInt16.self) == 0xDEAD)
        for text in ["", "g", "+1", "12345", "１"] { #expect(text.utf8.hexadecimalNumber(as: UInt16.self) == nil, "\(text)") }
    }

    @Test func `The escape of a byte is a percent sign and two capital digits`() {
        var bytes: [UInt8] = []
        for byte in [0x00, 0x2F, 0xFF] as [UInt8] { bytes.append(escape: byte) }
        #expect(String(decoding: bytes, as: UTF8.self) == "%00%2F%FF")
        #expect("a b~é".utf8.escaped(keeping: \.isUnreserved) == "a%20b~%C3%A9")
    }
}
