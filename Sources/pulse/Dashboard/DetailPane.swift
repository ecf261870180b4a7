import TerminalViews

/// The details of the selected entry: facts beside or above a chart, and further pages of text.
@MainActor
final class DetailPane: Sendable {
    let root: Border
    private let facts = Label()
    private let list = Label()
    private let chart: Chart
    private let overview: Overview
    private let texts: [Label]
    /// The pages, which take keys.
    let pages: DetailPages
    private var unit = Entry.Unit.price

    init(theme: Theme) {
        facts.wraps = true
        chart = Chart(axis: Chart.Axis(0...1), format: unit.text)
        chart.axisStyle = theme.faint
        chart.markStyle = theme.bad
        overview = Overview(facts: facts, chart: chart, list: list)
        let texts = (0..<Self.mostPages).map { _ in Label() }
        for text in texts { text.wraps = true }
        self.texts = texts
        pages = DetailPages(overview, texts: texts)
        pages.tabs.style = theme.faint
        root = Border(pages, style: theme.border)
    }

    func show(_ detail: Entry.Detail?) {
        root.title = detail?.title ?? ""
        facts.content = detail?.facts ?? StyledText("Nothing is selected.", .dim)
        list.content = detail?.list ?? ""
        chart.isHidden = detail == nil
        pages.tabs.titles = ["Overview"] + (detail?.pages ?? []).map(\.title)
        for (label, page) in zip(texts, detail?.pages ?? []) { label.content = page.text }
        guard let content = detail?.chart else { return }
        if unit != content.unit {
            unit = content.unit
            chart.format = unit.text
        }
        chart.points = content.points
        chart.axis = content.axis
        chart.hold = content.hold
        chart.baseline = content.baseline
        chart.placeholder = content.placeholder
        chart.style = content.style
    }

    private static let mostPages = 2
}

/// The overview and the pages of text. Tab turns them, and pages scroll: the arrows are left to the list.
final class DetailPages: View {
    let tabs: Tabs
    private let pages: [ScrollView]

    init(_ overview: View, texts: [Label]) {
        pages = texts.map { ScrollView($0) }
        for page in pages { page.canBecomeFocused = false }
        tabs = Tabs([("Overview", overview)] + pages.map { ("", $0 as View) })
        super.init()
        subviews = [tabs]
    }

    override func handle(_ key: Key) -> Bool {
        if tabs.handle(key) { return true }
        guard key == .pageUp || key == .pageDown, pages.indices.contains(tabs.selectedIndex - 1) else { return false }
        return pages[tabs.selectedIndex - 1].handle(key)
    }
}

/// Facts and a chart. In a low pane the chart is beside the facts; otherwise the facts, the chart and the list are below each other.
private final class Overview: View {
    private let facts: Label
    private let chart: Chart
    private let list: Label

    init(facts: Label, chart: Chart, list: Label) {
        self.facts = facts
        self.chart = chart
        self.list = list
        super.init()
        subviews = [facts, chart, list]
    }

    override func layout(in size: Size) {
        let factsHeight = facts.fittingSize(in: size).height
        let rest = size.height - factsHeight - 1
        guard rest < Self.lowestChart else { return stack(factsHeight, rest, width: size.width) }
        let factsWidth = min(facts.fittingSize(in: size).width, size.width, Self.widestFacts)
        facts.place(Rect(x: 0, y: 0, width: factsWidth, height: size.height))
        let width = size.width - factsWidth - 2
        chart.place(Rect(x: factsWidth + 2, y: 0, width: width < Self.narrowestChart ? 0 : width, height: size.height))
        list.place(Rect(size: .zero))
    }

    private func stack(_ factsHeight: Int, _ rest: Int, width: Int) {
        facts.place(Rect(x: 0, y: 0, width: width, height: factsHeight))
        // The list gets at most a third of the height, and the chart the remaining height.
        let listHeight = rest < Self.lowestChart * 3 ? 0 : min(list.fittingSize(in: Size(width: width, height: rest)).height, rest / 3)
        let height = list.content.spans.isEmpty || listHeight == 0 ? rest : rest - listHeight - 1
        chart.place(Rect(x: 0, y: factsHeight + 1, width: width, height: height))
        list.place(Rect(x: 0, y: factsHeight + 2 + height, width: width, height: rest - height - 1))
    }

    private static let lowestChart = 6
    private static let widestFacts = 52
    private static let narrowestChart = 16
}
