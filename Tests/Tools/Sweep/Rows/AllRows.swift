extension Row {
    /// Every row of the sweep: the operators of the catalogue, and what is no operator.
    static var all: [Row] {
        operators + sources + chains + subjects + singles + maybes + completables + infallibles + infallibleJoins + mainSequences + contexts
            + derivedContexts + steps
    }
}
