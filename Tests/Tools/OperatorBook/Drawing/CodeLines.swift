/// Code as the box of a diagram shows it, in lines that are not too long.
struct CodeLines {
    static let longest = 96
    let lines: [String]

    init(_ code: [String]) {
        lines = code.flatMap(Self.wrapped)
    }

    /// Broken at a comma in the middle.
    private static func wrapped(_ line: String) -> [String] {
        guard line.count > longest else { return [line] }
        let commas = line.indices.filter { line[$0] == "," }
        let middle = line.index(line.startIndex, offsetBy: line.count / 2)
        guard let comma = commas.min(by: { abs(line.distance(from: $0, to: middle)) < abs(line.distance(from: $1, to: middle)) }) else {
            return [line]
        }
        let rest = line[comma...].dropFirst().trimmingPrefix(while: { $0 == " " })
        return [String(line[...comma]), "    " + rest]
    }
}
