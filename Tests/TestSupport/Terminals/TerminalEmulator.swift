import TerminalViews

/// A terminal without a screen. It obeys the codes that the renderer uses, so that tests can examine the picture that a person would see.
public struct TerminalEmulator: Sendable {
    public let size: Size
    public private(set) var isAlternateScreen = false
    public private(set) var isCursorVisible = true
    public private(set) var bracketsPastes = false
    public private(set) var reportsMouse = false
    /// The number of times that the bell rang.
    public private(set) var bells = 0
    /// The sequences that the emulator did not know: it knows all sequences of a correct renderer.
    public private(set) var unknownSequences: [String] = []

    private var glyphs: [[Glyph]]
    private var mainGlyphs: [[Glyph]] = []
    private var x = 0
    private var y = 0
    private var wraps = true
    private var style = Style.plain
    private var lastGlyph: Point?
    private var pending: [UInt8] = []

    public struct Glyph: Hashable, Sendable {
        public var text: String
        public var style: Style
    }

    public init(size: Size) {
        self.size = size
        glyphs = Self.blank(size)
    }

    /// The characters on the screen, one row on each line, without the spaces at the ends of the lines.
    public var text: String {
        glyphs
            .map { row in
                let line = row.map(\.text).joined()
                let spaces = line.reversed().prefix { $0 == " " }.count
                return String(line.dropLast(spaces))
            }
            .joined(separator: "\n")
    }

    /// The character in that column and row; empty text for the right half of a wide character.
    public subscript(x: Int, y: Int) -> Glyph { glyphs[y][x] }

    /// Takes bytes, however they are split.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        var rest = pending[...]
        while let length = Self.unitLength(rest) {
            let unit = rest.prefix(length)
            rest = rest.dropFirst(length)
            obey(unit)
        }
        pending = Array(rest)
    }

    /// Returns the length of the first complete sequence or character; `nil` if it is not complete.
    private static func unitLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        guard first == 0x1B else {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return bytes.count >= length ? length : nil
        }
        guard let second = bytes.dropFirst().first else { return nil }
        guard second == UInt8(ascii: "[") else { return 2 }
        return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 - bytes.startIndex + 1 }
    }

    private mutating func obey(_ unit: ArraySlice<UInt8>) {
        let text = String(decoding: unit, as: UTF8.self)
        guard unit.first != 0x1B else { return obey(sequence: text) }
        switch text {
        case "\r": x = 0
        case "\u{7}": bells += 1
        case "\n": lineFeed()
        default:
            guard let scalar = text.unicodeScalars.first, !scalar.isControl else { return unknownSequences.append(text) }
            put(scalar)
        }
    }

    private mutating func lineFeed() {
        lastGlyph = nil
        guard y == size.height - 1 else { return y += 1 }
        glyphs.removeFirst()
        glyphs.append(Self.blank(size)[0])
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if let at = lastGlyph, glyphs[at.y][at.x].text.unicodeScalars.last?.isPrepended == false {
            let joined = glyphs[at.y][at.x].text + String(scalar)
            if joined.count == 1 { return widen(at, to: joined) }
        }
        let width = TerminalText.width(of: Character(scalar))
        if x + width > size.width {
            guard wraps else { return x = size.width - 1 }
            x = 0
            lineFeed()
        }
        blankHalves(at: x)
        glyphs[y][x] = Glyph(text: String(scalar), style: style)
        lastGlyph = Point(x: x, y: y)
        x += 1
        if width == 2 { putRightHalf() }
    }

    private mutating func widen(_ at: Point, to text: String) {
        let wasWide = TerminalText.width(of: glyphs[at.y][at.x].text) == 2
        glyphs[at.y][at.x].text = text
        if !wasWide, TerminalText.width(of: text) == 2, x < size.width { putRightHalf() }
    }

    private mutating func putRightHalf() {
        blankHalves(at: x)
        glyphs[y][x] = Glyph(text: "", style: style)
        x += 1
    }

    /// A wide character whose half is overwritten leaves a space in the other half.
    private mutating func blankHalves(at x: Int) {
        if glyphs[y][x].text.isEmpty, x > 0, x - 1 != lastGlyph?.x || lastGlyph?.y != y { glyphs[y][x - 1].text = " " }
        if x + 1 < size.width, glyphs[y][x + 1].text.isEmpty { glyphs[y][x + 1].text = " " }
    }

    private static func blank(_ size: Size) -> [[Glyph]] {
        Array(repeating: Array(repeating: Glyph(text: " ", style: .plain), count: size.width), count: size.height)
    }
}

extension TerminalEmulator {
    private mutating func obey(sequence: String) {
        lastGlyph = nil
        guard sequence.hasPrefix("\u{1B}["), let final = sequence.last else { return unknownSequences.append(sequence) }
        let parameters = sequence.dropFirst(2).dropLast()
        if parameters.first == "?" { return setMode(Int(parameters.dropFirst()) ?? 0, isOn: final == "h") }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = numbers.first ?? 0
        switch final {
        case "H":
            y = min(max(first, 1), size.height) - 1
            x = min(max(numbers.count > 1 ? numbers[1] : 1, 1), size.width) - 1
        case "C": x = min(size.width - 1, x + max(first, 1))
        case "K": for column in x..<size.width { glyphs[y][column] = Glyph(text: " ", style: .plain) }
        case "J": glyphs = Self.blank(size)
        case "m": style = StyleCodes.apply(numbers.isEmpty ? [0] : numbers, to: style)
        default: unknownSequences.append(sequence)
        }
    }

    private mutating func setMode(_ mode: Int, isOn: Bool) {
        switch mode {
        case 7: wraps = isOn
        case 25: isCursorVisible = isOn
        case 2004: bracketsPastes = isOn
        case 1000: reportsMouse = isOn
        case 1006: break
        case 1049 where isOn != isAlternateScreen:
            swap(&glyphs, &mainGlyphs)
            if isOn { glyphs = Self.blank(size) }
            isAlternateScreen = isOn
        case 1049: break
        default: unknownSequences.append("?\(mode)")
        }
    }
}
