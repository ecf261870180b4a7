/// What is put in around one stage of a chain, or in its place.
struct StageEdits: Sendable {
    var before: [any ChainStep] = []
    var replacement: (any ChainStep)?
    var after: [any ChainStep] = []
}

extension URLChain {
    /// Puts a step of your own before the node of a stage, behind the steps that were put there before.
    public func inserting<Step: ChainStep, Target>(_ step: Step, before stage: ChainStage<Step.Value, Target>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].before.append(step) }
    }

    /// Puts a step of your own after the node of a stage, behind the steps that were put there before.
    public func inserting<Step: ChainStep, Source>(_ step: Step, after stage: ChainStage<Source, Step.Value>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].after.append(step) }
    }

    /// Puts a step of your own in place of the node of a stage.
    public func replacing<Step: ChainStep>(_ stage: ChainStage<Step.Value, Step.Value>, with step: Step) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].replacement = step }
    }
}

extension ChainSettings {
    /// The nodes of a stage with what was put in before it, in its place and after it.
    func placing<Output: Sendable>(_ stage: String, _ nodes: [ChainNode], _ output: Output.Type) -> [ChainNode] {
        let own = edits[stage]?.replacement.map { [Self.node($0, output)] } ?? nodes
        return before(stage, output) + own + after(stage, output)
    }

    /// What was put in before a stage.
    func before<Output: Sendable>(_ stage: String, _ output: Output.Type) -> [ChainNode] {
        (edits[stage]?.before ?? []).map { Self.node($0, output) }
    }

    /// What was put in after a stage.
    func after<Output: Sendable>(_ stage: String, _ output: Output.Type) -> [ChainNode] {
        (edits[stage]?.after ?? []).map { Self.node($0, output) }
    }

    /// A step as an entry of the list.
    static func node<Output: Sendable>(_ step: any ChainStep, _ output: Output.Type) -> ChainNode {
        ChainNode(step, output)
    }

    /// Whether something other than the parser may look at the body of a good response.
    var usesBodies: Bool {
        guard cache == nil else { return true }
        let steps =
            (edits["RequestSenderNode"]?.after ?? []) + steps(at: "ResponseProcessorNode") + steps(at: "ResponseHttpErrorProcessorNode")
        return steps.contains { ($0 as? any BodyIgnoringStep)?.ignoresBody != true }
    }

    private func steps(at stage: String) -> [any ChainStep] {
        guard let edits = edits[stage] else { return [] }
        return edits.before + [edits.replacement].compactMap { $0 } + edits.after
    }
}
