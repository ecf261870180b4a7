extension InspectorSnapshot {
    /// Returns the tree as a graph in the language of Graphviz: an edge leads from an upstream to the operator that receives its elements.
    ///
    /// Source: [Graphviz, DOT](https://graphviz.org/doc/info/lang.html).
    package func dot() -> String {
        var lines = ["digraph streams {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
        for node in nodes {
            var label = "\(node.operatorName)\n\(node.elements) elements"
            if node.object != nil { label = node.operatorName }
            if let summary = node.summary { label += "\n\(summary)" }
            if let place = node.place { label += "\n\(place)" }
            let color = node.state == .suspended ? ", color=red" : node.state == .finished ? ", color=gray" : ""
            lines.append("  n\(node.id) [label=\"\(Self.escaped(label))\"\(color)];")
        }
        for node in nodes {
            if let parent = node.parent { lines.append("  n\(node.id) -> n\(parent);") }
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Returns the figures as metrics in Prometheus' text format: sums over the operators of one line, which bounds their number.
    ///
    /// Source: [Prometheus, text format](https://prometheus.io/docs/instrumenting/exposition_formats/).
    package func prometheus() -> String {
        let groups = Dictionary(grouping: nodes.filter { $0.object == nil }) { node in
            let place = node.place.map { "\($0)" } ?? ""
            return "operator=\"\(Self.escaped(node.operatorName))\",place=\"\(Self.escaped(place))\""
        }.sorted { $0.key < $1.key }
        var lines: [String] = []
        func metric(_ name: String, _ type: String, _ help: String, _ samples: [(labels: String, value: Double)]) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
            for (labels, value) in samples {
                let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
                lines.append("\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number)")
            }
        }
        func sums(_ value: (Node) -> Double) -> [(labels: String, value: Double)] {
            groups.map { labels, nodes in (labels, nodes.reduce(0) { $0 + value($1) }) }
        }
        metric("streams_chains", "gauge", "Running chains.", [("", Double(totals.chains))])
        metric("streams_operators_started_total", "counter", "Operators started.", [("", Double(totals.started))])
        metric(
            "streams_operators_hidden", "gauge", "Running operators that are not shown.",
            [("", Double(totals.hidden + (totals.outside ?? 0)))])
        metric("streams_operators", "gauge", "Running operators.", sums { _ in 1 })
        metric("streams_elements", "gauge", "Elements emitted by the running operators.", sums { Double($0.elements) })
        metric("streams_upstream_errors", "gauge", "Failed upstreams of the running operators.", sums { Double($0.errors) })
        metric("streams_suspended", "gauge", "Operators that a slower consumer suspends.", sums { $0.state == .suspended ? 1 : 0 })
        metric(
            "streams_queued", "gauge", "Elements and requests that wait.",
            sums { $0.queues.reduce($0.limiter?.isWaiting == true ? 1.0 : 0) { $0 + Double($1.count) } })
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes the characters that both formats escape in quoted text.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
