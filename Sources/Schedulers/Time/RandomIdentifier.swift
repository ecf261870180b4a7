/// Returns 32 hexadecimal digits that are unique.
///
/// The digits do not come from `UUID`: it opens a device on Linux, and returns the same value each time in a process without a free
/// descriptor.
///
/// - Parameter generator: the source of randomness. By default the identifier follows from the seed in a simulation. With the system's
///   generator it does not: use that if the identifier outlives a simulation, or must not change its run.
package func randomIdentifier(from generator: some RandomNumberGenerator = CurrentRandomNumberGenerator()) -> String {
    var generator = generator
    return [generator.next(), generator.next()].map { half in
        let digits = String(half, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
}
