/// Writes a pipeline as one would in a test: a statement an operator, so that the type checker takes them one at a time.
struct PipelineCode {
    private var statements: [String] = []

    /// The statements of a closure that gives the pipeline.
    mutating func lines(of pipeline: Pipeline) -> [String] {
        let last = expression(of: pipeline, bound: false, isInBody: false)
        return (statements + ["return " + last])
            .flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }.map { "    " + $0 }
    }

    /// A pipeline as one expression. `bound` says whether there is an `x`.
    static func expression(of pipeline: Pipeline, bound: Bool = false) -> String {
        var code = PipelineCode()
        return code.expression(of: pipeline, bound: bound, isInBody: true)
    }

    private mutating func expression(of pipeline: Pipeline, bound: Bool, isInBody: Bool) -> String {
        var text = pipeline.fuzzOperator.template.replacing("^", with: bound ? "x" : "0")
        for (index, number) in pipeline.numbers.enumerated() {
            text = text.replacing("#\(index)", with: "\(number)")
        }
        for (index, upstream) in pipeline.upstreams.enumerated() {
            text = text.replacing("%\(index)", with: expression(of: upstream, bound: bound, isInBody: isInBody))
        }
        if let body = pipeline.body.first {
            text = text.replacing("@", with: expression(of: body, bound: true, isInBody: true))
        }
        guard !isInBody else { return text }
        statements.append("let stream\(statements.count): Observable<Int> = \(text)")
        return "stream\(statements.count - 1)"
    }
}
