/// Draws a diagram: the inputs with their subscriptions, the operator, the streams of its closure, the output, the axis of time.
struct Drawing {
    private static let margin = 14.0
    private static let codeWidth = 7.83
    private static let stack = 2 * Labels.radius + 3
    private let diagram: Diagram
    private let labels: Labels
    /// Where the timelines begin, and where the time zero is.
    private let left: Double
    private let origin: Double
    /// Where the timelines end.
    private let right: Double
    private let width: Double
    private var svg = SVG()
    private var y = Drawing.margin

    static func svg(_ diagram: Diagram, letters: [String: Character]) -> String {
        var drawing = Drawing(diagram, Labels(diagram, letters: letters, width: Self.narrowest(diagram)))
        return drawing.document()
    }

    /// The width that the timelines should fill: the code in the box, or a picture that is not too small.
    private static func narrowest(_ diagram: Diagram) -> Double {
        max(380, (diagram.code.map { Double($0.count) * codeWidth }.max() ?? 0) - 70)
    }

    private init(_ diagram: Diagram, _ labels: Labels) {
        (self.diagram, self.labels) = (diagram, labels)
        let names = diagram.lanes.map { Double($0.label.count) * 7.2 } + [diagram.lanes.contains { !$0.subscriptions.isEmpty } ? 64 : 0]
        left = Self.margin + (names.max() ?? 0) + 14
        origin = left + labels.overhang(of: diagram) + labels.tick / 2
        let code = (diagram.code.map { Double($0.count) * Self.codeWidth }.max() ?? 0) + 36
        let legend = (labels.legend.map { Double($0.count) * 7.3 }.max() ?? 0) + origin
        let timeline = origin + (Double(diagram.seconds) + 0.5) * labels.tick + 22
        right = max(timeline, code + Self.margin, origin + labels.reach(of: diagram) + 4)
        width = max(right + Self.margin, legend + Self.margin).rounded()
    }

    private mutating func document() -> String {
        let inputs = diagram.lanes.filter { $0.kind == .input }
        let results = diagram.lanes.filter { $0.kind != .input }
        let top = y
        for lane in inputs { draw(lane) }
        drawBox()
        for lane in results { draw(lane) }
        let bottom = y
        drawAxis()
        for text in labels.legend {
            y += 18
            svg.text("legend", left, y, text)
        }
        y += Self.margin
        var page = SVG()
        page.rectangle("page", x: 0.5, y: 0.5, width: width - 1, height: y - 1, radius: 8)
        for second in 0...Int((right - 14 - origin) / labels.tick) { page.line("grid", x(second), top, x(second), bottom) }
        return document(page)
    }

    /// The grid is behind everything else.
    private func document(_ page: SVG) -> String {
        var whole = page
        whole.append(svg)
        return whole.document(
            width: width, height: y, title: "Marble diagram of \(diagram.title)", description: diagram.words)
    }

    private func x(_ second: Int) -> Double { x(Double(second)) }

    private func x(_ time: Double) -> Double { origin + time * labels.tick }

    private mutating func draw(_ lane: Diagram.Lane) {
        let deepest = lane.moments.map { $0.events.filter { $0 != .completed }.count }.max() ?? 0
        let extra = Double(max(0, deepest - 1)) * Self.stack
        let line = y + Labels.radius + 10
        svg.text("label", left - 10, line + 4.5, lane.label)
        drawLine(of: lane, at: line)
        for moment in lane.moments { draw(moment, at: line) }
        y = line + extra + Labels.radius + 8
        guard lane.kind == .input, !lane.subscriptions.isEmpty else { return y += 2 }
        drawSubscriptions(lane.subscriptions)
    }

    private mutating func drawLine(of lane: Diagram.Lane, at line: Double) {
        let begin = lane.begin == 0 && lane.kind != .inner ? left : x(lane.begin)
        if lane.kind == .inner || lane.kind == .output && lane.begin > 0 { svg.circle("tip", begin, line, 3.2) }
        if let last = lane.moments.last, last.isLast { return svg.line("time", begin, line, x(last.time), line) }
        if let end = lane.end {
            svg.line("time", begin, line, x(end), line)
            return svg.line("time", x(end), line - 7, x(end), line + 7)
        }
        svg.line("time", begin, line, right - 9, line)
        let tip = SVG.number(right - 10)
        svg.path("tip", "M\(tip) \(SVG.number(line - 5))L\(SVG.number(right)) \(SVG.number(line))L\(tip) \(SVG.number(line + 5))Z")
    }

    private mutating func draw(_ moment: Diagram.Moment, at line: Double) {
        let marbles = moment.events.filter { $0 != .completed }
        let center = x(moment.time)
        if moment.events.contains(.completed) {
            let reach = marbles.isEmpty ? Labels.radius - 1 : Labels.radius + 8
            svg.line("bar", center, line - reach, center, line + Double(max(0, marbles.count - 1)) * Self.stack + reach)
        }
        for (index, mark) in marbles.enumerated() {
            let middle = line + Double(index) * Self.stack
            switch mark {
            case .element(let element): drawMarble(element, center, middle)
            case .error: drawCross(center, middle)
            case .completed: break
            }
        }
    }

    private mutating func drawMarble(_ element: String, _ center: Double, _ middle: Double) {
        let text = labels.text(of: element)
        let width = Labels.width(of: text)
        let kind = "marble m\(labels.colour(of: element))"
        if width > 2 * Labels.radius {
            svg.rectangle(
                kind, x: center - width / 2, y: middle - Labels.radius, width: width, height: 2 * Labels.radius, radius: Labels.radius)
        } else {
            svg.circle(kind, center, middle, Labels.radius)
        }
        svg.text(text.count > 2 ? "value long" : "value", center, middle + 5, text)
    }

    private mutating func drawCross(_ center: Double, _ middle: Double) {
        let (left, right) = (SVG.number(center - 9), SVG.number(center + 9))
        let (top, bottom) = (SVG.number(middle - 9), SVG.number(middle + 9))
        svg.path("cross", "M\(left) \(top)L\(right) \(bottom)M\(right) \(top)L\(left) \(bottom)")
    }

    private mutating func drawSubscriptions(_ spans: [Diagram.Span]) {
        let line = y + 4
        svg.text("note", left - 10, line + 4, "subscribed")
        for span in spans {
            let end = span.end.map(x) ?? right - 9
            svg.line("span", x(span.begin), line, end, line)
            if span.end != nil { svg.line("close", end, line - 6, end, line + 6) }
            svg.circle("open", x(span.begin), line, 4)
        }
        y = line + 14
    }

    private mutating func drawBox() {
        let height = Double(diagram.code.count) * 19 + 19
        let isFirst = !diagram.lanes.contains { $0.kind == .input }
        y += isFirst ? 0 : 4
        svg.rectangle("box", x: Self.margin, y: y, width: right - Self.margin, height: height, radius: 6)
        let longest = Double(diagram.code.map(\.count).max() ?? 0) * Self.codeWidth
        let start = (right + Self.margin - longest) / 2
        for (index, text) in diagram.code.enumerated() {
            let indentation = Double(text.prefix { $0 == " " }.count) * Self.codeWidth
            svg.text("code", start + indentation, y + 23.5 + Double(index) * 19, text.trimmingPrefix(while: { $0 == " " }).description)
        }
        y += height + 8
    }

    private mutating func drawAxis() {
        let line = y + 2
        svg.line("thin", left, line, right, line)
        svg.text("unit", left - 10, line + 15, "seconds")
        for second in 0...Int((right - 14 - origin) / labels.tick) {
            svg.line("thin", x(second), line, x(second), line + 4)
            svg.text("tick", x(second), line + 15, "\(second)")
        }
        y = line + 17
    }
}
