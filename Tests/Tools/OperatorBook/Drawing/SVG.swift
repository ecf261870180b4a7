import Foundation

/// Text of a drawing in the making.
struct SVG {
    private(set) var lines: [String] = []

    mutating func line(_ kind: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        lines.append("<path class=\"\(kind)\" d=\"M\(Self.number(x1)) \(Self.number(y1))L\(Self.number(x2)) \(Self.number(y2))\"/>")
    }

    mutating func path(_ kind: String, _ description: String) {
        lines.append("<path class=\"\(kind)\" d=\"\(description)\"/>")
    }

    mutating func circle(_ kind: String, _ x: Double, _ y: Double, _ radius: Double) {
        lines.append("<circle class=\"\(kind)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\"/>")
    }

    mutating func rectangle(_ kind: String, x: Double, y: Double, width: Double, height: Double, radius: Double) {
        let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        lines.append("<rect class=\"\(kind)\" \(place) rx=\"\(Self.number(radius))\"/>")
    }

    mutating func text(_ kind: String, _ x: Double, _ y: Double, _ text: String) {
        lines.append("<text class=\"\(kind)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(Self.escaped(text))</text>")
    }

    mutating func append(_ other: SVG) {
        lines += other.lines
    }

    /// The whole file.
    func document(width: Double, height: Double, title: String, description: String) -> String {
        let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
        let opening = "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) role=\"img\" aria-labelledby=\"title description\">"
        let names = [
            "<title id=\"title\">\(Self.escaped(title))</title>", "<desc id=\"description\">\(Self.escaped(description))</desc>",
        ]
        return ([opening] + names + ["<style>\(SVGStyle.text)</style>"] + lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// With one digit behind the point at most.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}

/// The look of all pictures, on a light and on a dark page.
enum SVGStyle {
    static let text = rules.joined()

    private static let rules = [
        "text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:#1f2328}",
        ".page{fill:#fff;stroke:#d1d9e0}",
        ".grid{stroke:#eaeef2;stroke-width:1}",
        ".time{fill:none;stroke:#59636e;stroke-width:1.8}",
        ".thin{fill:none;stroke:#818b98;stroke-width:1.5}",
        ".tip{fill:#59636e}",
        ".bar{stroke:#1f2328;stroke-width:3;stroke-linecap:round}",
        ".cross{stroke:#cf222e;stroke-width:3.6;stroke-linecap:round;fill:none}",
        ".box{fill:#ddf4ff;stroke:#54aeff;stroke-width:1.2}",
        ".span{stroke:#1a7f37;stroke-width:2.4;fill:none}",
        ".open{fill:#fff;stroke:#1a7f37;stroke-width:2.2}",
        ".close{stroke:#1a7f37;stroke-width:2.4;stroke-linecap:round}",
        ".marble{stroke:#fff;stroke-width:1.2}",
        ".value{fill:#fff;font-weight:600;text-anchor:middle}",
        ".long{font-size:13px}",
        ".small{font-size:12px}",
        ".label{font-size:13px;text-anchor:end}",
        ".note{font-size:11.5px;text-anchor:end;fill:#1a7f37}",
        ".tick{font-size:11px;text-anchor:middle;fill:#59636e}",
        ".unit{font-size:11px;text-anchor:end;fill:#59636e}",
        ".code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}",
        ".legend{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#59636e}",
        marbles, "@media(prefers-color-scheme:dark){\(dark)}",
    ]

    /// White text has a contrast of 4.5 on each of them.
    private static let marbles = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#0e7490", "#9a6700", "#57606a"]
        .enumerated().map { ".m\($0.offset){fill:\($0.element)}" }.joined()

    private static let dark = [
        "text{fill:#f0f6fc}", ".page{fill:#0d1117;stroke:#3d444d}", ".grid{stroke:#21262d}", ".time{stroke:#9198a1}",
        ".thin{stroke:#656c76}", ".tip{fill:#9198a1}", ".bar{stroke:#f0f6fc}", ".cross{stroke:#f85149}",
        ".box{fill:#12263f;stroke:#1f6feb}", ".span,.close{stroke:#3fb950}", ".open{fill:#0d1117;stroke:#3fb950}",
        ".marble{stroke:#e6edf3}", ".value{fill:#fff}", ".note{fill:#3fb950}", ".tick,.unit,.legend{fill:#9198a1}",
    ].joined()
}
