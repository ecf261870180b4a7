import TerminalViews

/// The text of a view, line by line.
@MainActor
func text(_ view: View, _ width: Int, _ height: Int) -> String {
    view.snapshot(in: Size(width: width, height: height)).text
}
