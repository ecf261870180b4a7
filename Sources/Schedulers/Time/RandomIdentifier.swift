/// Returns 32 hexadecimal digits that nobody else has.
///
/// Not that of `UUID`, which opens a device on Linux, and returns the same each time in a process without a free descriptor.
///
/// - Parameter generator: by default the identifier follows from the seed in a simulation. With the system's generator it does not: for what
///   outlives a simulation, or must not change its run.
package func randomIdentifier(from generator: some RandomNumberGenerator = CurrentRandomNumberGenerator()) -> String {
    var generator = generator
    return [generator.next(), generator.next()].map { half in
        let digits = String(half, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
}
