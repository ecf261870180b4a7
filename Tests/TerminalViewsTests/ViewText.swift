import TerminalViews

/// What a view shows, line by line.
@MainActor
func text(_ view: View, _ width: Int, _ height: Int) -> String {
    view.snapshot(in: Size(width: width, height: height)).text
}
