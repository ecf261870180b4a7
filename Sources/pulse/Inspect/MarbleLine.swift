import NetNodes
import StreamsInspector

/// A subscription as a moving marble diagram, with a column for each snapshot: `--o-oo#`.
struct MarbleLine: Equatable {
    /// The text: `-` nothing, `o` elements, `#` an upstream failed, `|` the end.
    let text: String
    /// The number of elements in the last column.
    let lastCount: UInt64

    /// - Parameter states: the node in successive snapshots, the first one before the first column; `nil` where it was not running.
    init(_ states: [InspectorSnapshot.Node?]) {
        var text = ""
        var lastCount: UInt64 = 0
        for (before, now) in zip(states, states.dropFirst()) {
            lastCount = 0
            switch (before, now) {
            case (nil, nil): text += text.isEmpty ? "" : " "
            case (_?, nil): text += "|"
            case (let before, let now?):
                // A subscription that started after the last snapshot may have emitted before this one.
                lastCount = now.elements - min(now.elements, before?.elements ?? 0)
                text += now.errors > before?.errors ?? 0 ? "#" : lastCount > 0 ? "o" : "-"
            }
        }
        while text.hasSuffix(" ") { text.removeLast() }
        (self.text, self.lastCount) = (text, lastCount)
    }
}
