/// The steps inserted around one stage of a chain, or instead of it.
struct StageEdits: Sendable {
    var before: [any ChainStep] = []
    var replacement: (any ChainStep)?
    var after: [any ChainStep] = []
}

extension URLChain {
    /// Inserts a custom step before the node of a stage, after steps inserted there earlier.
    public func inserting<Step: ChainStep, Target>(_ step: Step, before stage: ChainStage<Step.Value, Target>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].before.append(step) }
    }

    /// Inserts a custom step after the node of a stage, after steps inserted there earlier.
    public func inserting<Step: ChainStep, Source>(_ step: Step, after stage: ChainStage<Source, Step.Value>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].after.append(step) }
    }

    /// Replaces the node of a stage by a custom step.
    public func replacing<Step: ChainStep>(_ stage: ChainStage<Step.Value, Step.Value>, with step: Step) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].replacement = step }
    }
}

extension ChainSettings {
    /// Returns the nodes of a stage with the steps inserted before, instead of and after it.
    func placing<Output: Sendable>(_ stage: String, _ nodes: [ChainNode], _ output: Output.Type) -> [ChainNode] {
        let own = edits[stage]?.replacement.map { [ChainNode($0, output)] } ?? nodes
        return before(stage, output) + own + after(stage, output)
    }

    /// Returns the steps inserted before a stage.
    func before<Output: Sendable>(_ stage: String, _ output: Output.Type) -> [ChainNode] {
        (edits[stage]?.before ?? []).map { ChainNode($0, output) }
    }

    /// Returns the steps inserted after a stage.
    func after<Output: Sendable>(_ stage: String, _ output: Output.Type) -> [ChainNode] {
        (edits[stage]?.after ?? []).map { ChainNode($0, output) }
    }

    /// Whether anything other than the parser may use the body of a successful response.
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
