/// A value behind a reference, so that arrays of large values are cheap to copy: a board of 200 endpoints is copied for each check.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
