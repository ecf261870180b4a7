/// The kinds of the traits: what distinguishes a `Single` from a `Maybe`, and a `Driver` from a `Signal`.
public enum TraitKind {}
