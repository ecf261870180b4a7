/// A value of a generic type for closures of inlinable code, which capture this object instead of the value.
///
/// The compiler of Swift 6.3.1 crashes if such a closure is inlined into generic code of a user and captures a value whose type is, or
/// contains, a tuple with one of the user's type parameters: `just((first, second))`.
@usableFromInline
final class Constant<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
