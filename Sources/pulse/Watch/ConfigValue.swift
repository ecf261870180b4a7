import Foundation
import NetNodes

/// A fault of a configuration, with its place: `services.json:4:17: unknown member "intervall"; did you mean interval?`
struct ConfigError: Error, Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let column: Int
    let reason: String

    var description: String { "\(file):\(line):\(column): \(reason)" }
}

/// A value of a configuration, with its position in the file.
struct ConfigValue {
    let json: JSON
    private let path: [JSONPlaces.Step]
    private let text: String
    private let file: String

    /// - Throws: `ConfigError` if the text is not JSON, or a member of an object stands twice: only the last one would count.
    init(parsing text: String, file: String) throws {
        self.text = text
        self.file = file
        path = []
        do {
            json = try JSON(parsing: text)
        } catch {
            let place = JSONPlaces.place(ofOffset: error.offset, in: text)
            throw ConfigError(file: file, line: place.line, column: place.column, reason: error.reason)
        }
        guard let repeated = JSONPlaces.repeatedMember(in: text) else { return }
        let (first, second) = (JSONPlaces.place(ofOffset: repeated.first, in: text), JSONPlaces.place(ofOffset: repeated.second, in: text))
        throw ConfigError(
            file: file, line: second.line, column: second.column,
            reason: "the member \"\(repeated.name)\" stands twice, first at \(first.line):\(first.column)")
    }

    private init(_ json: JSON, _ path: [JSONPlaces.Step], of other: ConfigValue) {
        self.json = json
        self.path = path
        text = other.text
        file = other.file
    }

    func error(_ reason: String, atName isName: Bool = false) -> ConfigError {
        let place = JSONPlaces.place(ofOffset: JSONPlaces.offset(of: path, isName: isName, in: text), in: text)
        return ConfigError(file: file, line: place.line, column: place.column, reason: reason)
    }

    /// Returns the members of an object; all of them must be known.
    func members(_ known: [String], of what: String) throws -> [String: ConfigValue] {
        let members = try pairs(of: what)
        for (name, value) in members where !known.contains(name) {
            let hint =
                nearestWord(to: name, among: known).map { "; did you mean \($0)?" } ?? "; \(what) has \(known.joined(separator: ", "))"
            throw value.error("unknown member \"\(name)\"\(hint)", atName: true)
        }
        return Dictionary(uniqueKeysWithValues: members)
    }

    /// Returns the members of an object in the order of the file, whatever their names are.
    func pairs(of what: String) throws -> [(String, ConfigValue)] {
        guard case .object(let object) = json else { throw error("\(what) is an object, not \(kind)") }
        return object.map { ($0.key, ConfigValue($0.value, path + [.member($0.key)], of: self)) }
    }

    func elements(of what: String) throws -> [ConfigValue] {
        guard case .array(let elements) = json else { throw error("\(what) is an array, not \(kind)") }
        return elements.enumerated().map { ConfigValue($1, path + [.element($0)], of: self) }
    }

    func string(_ what: String) throws -> String {
        guard case .string(let text) = json else { throw error("\(what) is a string, not \(kind)") }
        return text
    }

    func flag(_ what: String) throws -> Bool {
        guard case .bool(let value) = json else { throw error("\(what) is true or false, not \(kind)") }
        return value
    }

    /// Returns a number of seconds.
    func duration(_ what: String) throws -> Duration {
        .microseconds(Int64((try number(what, "seconds", from: 0.001, to: 1_000_000) * 1_000_000).rounded()))
    }

    /// Returns a number of milliseconds.
    func milliseconds(_ what: String) throws -> Duration {
        .microseconds(Int64((try number(what, "milliseconds", from: 1, to: 1_000_000_000) * 1000).rounded()))
    }

    private func number(_ what: String, _ unit: String, from least: Double, to most: Double) throws -> Double {
        guard case .number(let number) = json else { throw error("\(what) is a number of \(unit), not \(kind)") }
        guard number.double >= least, number.double <= most else {
            throw error("\(what) is a number of \(unit) from \(JSON(least)) to \(JSON(most))")
        }
        return number.double
    }

    func integer(_ what: String, in range: ClosedRange<Int>) throws -> Int {
        guard case .number(let number) = json, let value = number.int, range.contains(value) else {
            throw error("\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private var kind: String {
        switch json {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
