import TerminalViews

extension Canvas {
    /// Draws some random words on the canvas, wide ones and styled ones among them.
    mutating func scribble(using generator: inout some RandomNumberGenerator) {
        let words = ["a", "price", "日本", "e\u{301}", "▁▃▅█", "   ", "42.17", "\u{1B}[H", "ok"]
        let colors: [Color] = [.standard, .red, .palette(200), .rgb(10, 200, 30), .gray]
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let attributes = Style.Attributes(rawValue: UInt8.random(in: 0..<64, using: &generator))
            let style = Style(
                colors.randomElement(using: &generator) ?? .standard,
                on: colors.randomElement(using: &generator) ?? .standard,
                Bool.random(using: &generator) ? attributes : []
            )
            let place = Point(x: Int.random(in: -2..<size.width, using: &generator), y: Int.random(in: 0..<size.height, using: &generator))
            draw(words.randomElement(using: &generator) ?? "", at: place, style: style)
        }
    }
}
