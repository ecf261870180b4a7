/// A value behind a reference, so that arrays of large values are cheap to copy: a board of 200 endpoints is copied for each check.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (left: Boxed, right: Boxed) -> Bool {
        left === right || left.value == right.value
    }
}
