/// Carries a closure over to the queue on which it was made and on which alone it runs: that confinement makes the unchecked conformance
/// sound.
struct ConfinedAction: @unchecked Sendable {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    var run: @Sendable () -> Void { { self.action() } }
}
