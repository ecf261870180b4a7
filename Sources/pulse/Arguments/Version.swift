/// The version of the program, which is that of the package.
enum Version {
    static let current = "0.1.0"
}
