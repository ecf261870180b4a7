/// Texts in which it is in doubt where a string begins and ends.
///
/// `path="C:\" password="x"` has two readings: with an escaped quote, `password` is part of the first string, and `x` follows a string;
/// without, `x` is the value of a password. The same is true of a lone quote, as in `5 " password="x"`. The scanner reads the text in the
/// first way, and looks once more at each string and at each value that it skipped: a value that begins there and ends behind it is
/// redacted to its end.
extension SecretScanner {
    /// Redacts what follows the text that was skipped since `start`, if a value that begins in it ends later, in a reading without strings.
    ///
    /// Complexity: O(n) in the bytes of the whole text, because the text is redacted to its end when the patience is used up.
    mutating func settle(from start: Int) {
        var reader = SecretScanner(rereading: self, from: start)
        while reader.position < position, let byte = reader.peek() {
            let (place, count) = (reader.position, reader.hidden.count)
            reader.valueStart = nil
            reader.step(byte)
            reader.output.removeAll(keepingCapacity: true)
            let end = reader.position
            patience -= end - place
            if patience < 0 { return hideRest(from: reader) }
            guard byte != UInt8(ascii: "/"), reader.hidden.count > count || reader.valueStart != nil else { continue }
            if end > position {
                hide(Array(input[position..<end]))
                hidden += reader.hidden[count...]
                position = end
            }
            if let open = reader.openValue, open.end >= position { openValue = open }
            // Another value may begin in this one.
            reader.position = max(reader.valueStart ?? 0, place + 1)
        }
        names.formUnion(reader.names)
    }

    private mutating func hideRest(from reader: SecretScanner) {
        names.formUnion(reader.names)
        guard position < input.endIndex else { return }
        hide(Array(input[position...]))
        position = input.endIndex
    }
}
