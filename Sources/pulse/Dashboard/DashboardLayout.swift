import TerminalViews

/// How the list and the details share a screen.
struct DashboardLayout: Sendable, Equatable {
    /// The details are beside the list or below it.
    let axis: Stack.Axis
    let isListHidden: Bool
    let isDetailHidden: Bool
    let detailWidth: Length
    let detailHeight: Length
    /// The footer's columns.
    let width: Int

    init(_ size: Size, isDetailOnly: Bool) {
        let isWide = size.width >= Self.wideScreen
        width = size.width
        axis = isWide ? .horizontal : .vertical
        isListHidden = isDetailOnly
        isDetailHidden = !isDetailOnly && (size.height < Self.leastHeight || size.width < Self.leastWidth)
        detailWidth = isWide && !isDetailOnly ? .fixed(min(size.width * 2 / 5, 100)) : .flexible()
        detailHeight = isWide || isDetailOnly ? .flexible() : .fixed(min(max(size.height * 3 / 8, 8), 20))
    }

    private static let wideScreen = 140
    /// In a smaller window the list has all of it.
    private static let leastHeight = 16
    private static let leastWidth = 48
}
