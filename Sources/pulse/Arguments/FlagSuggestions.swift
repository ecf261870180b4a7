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

/// The names here for options of curl, for users of curl.
enum CurlOption {
    /// Returns the replacement of a curl option; `nil` if curl has no such option, or its counterpart has the same name.
    static func replacement(of name: String) -> String? { replacements[name] }

    private static let always = "is not needed: "
    private static let replacements: [String: String] = [
        "--data-ascii": "is -d here",
        "--form-string": "is -F here", "--upload-file": "is -X PUT -d @FILE here", "-T": "is -X PUT -d @FILE here",
        "--get": "is --query NAME=VALUE here", "-G": "is --query NAME=VALUE here", "--url-query": "is --query here",
        "--cookie-jar": "is --session NAME here", "-c": "is --session NAME here",
        "--range": "is -H 'Range: bytes=0-99' here", "-r": "is -H 'Range: bytes=0-99' here",
        "--oauth2-bearer": "is -H 'Authorization: Bearer TOKEN' here",
        "--location-trusted": "has no counterpart: secrets are not sent to another host",
        "--dump-header": "is -i here", "-D": "is -i here", "--trace": "is -v here", "--trace-ascii": "is -v here",
        "--continue-at": always + "an interrupted download is continued by itself",
        "-C": always + "an interrupted download is continued by itself",
        "--no-progress-meter": "is -s here",
        "--fail-with-body": always + "without -f the body of a failure is printed, and the exit code tells",
        "--create-dirs": "has no counterpart: create the folder first",
        "--noproxy": "is the environment variable no_proxy here", "--capath": "is --cacert FILE here",
        "--netrc-optional": "is --netrc here",
        "--parallel": "has no counterpart: several URLs are requested one after another",
        "-Z": "has no counterpart: several URLs are requested one after another",
        "--version": "is pulse --version here", "-V": "is pulse --version here",
    ]
}
