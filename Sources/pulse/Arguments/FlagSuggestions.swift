/// Returns the word that was probably meant; `nil` if none is similar. O(words x their lengths).
func nearestWord(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(lettersWithoutDashes(word), lettersWithoutDashes(best.word)) / 2) ? best.word : nil
}

/// Leaves out the dashes: they do not make flags similar.
private func lettersWithoutDashes(_ word: String) -> Int { word.trimmingPrefix { $0 == "-" }.count }

/// Returns the number of letters to insert, delete, replace or transpose to turn one word into the other.
///
/// Source: [optimal string alignment](https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance).
private func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var rows = [Array(0...right.count)]
    for (i, letter) in left.enumerated() {
        var row = [i + 1]
        for (j, other) in right.enumerated() {
            var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == other ? 0 : 1))
            if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { best = min(best, rows[i - 1][j - 1] + 1) }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
