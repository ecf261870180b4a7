public import Foundation

/// A query and the encoding of its values.
///
/// Names are sorted; `null` omits a name. Nesting composes: `{"a": [{"b": 1}]}` is `a[][b]=1`.
public struct URLQuery: Sendable {
    /// The encoding of `true` and `false`.
    public enum Booleans: Sendable {
        /// `1` and `0`.
        case numbers
        /// `true` and `false`.
        case words
    }

    /// The names of an array's elements.
    public enum Arrays: Sendable {
        /// `list[]=a&list[]=b`
        case brackets
        /// `list=a&list=b`
        case repeated
        /// The name that the closure computes from the array's name and the element's index.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)
    }

    /// The names of an object's members.
    public enum Objects: Sendable {
        /// `user[age]=23`
        case brackets
        /// `user.age=23`
        case dots
        /// The name that the closure computes from the object's name and the member's name.
        case custom(@Sendable (_ name: String, _ key: String) -> String)
    }

    /// The names and their values: an object.
    public var values: JSON
    /// The encoding of Booleans.
    public var booleans: Booleans
    /// The encoding of arrays.
    public var arrays: Arrays
    /// The encoding of objects.
    public var objects: Objects

    /// - Parameters:
    ///   - values: an object; any other value gives an empty query.
    ///   - booleans: the encoding of Booleans.
    ///   - arrays: the encoding of arrays.
    ///   - objects: the encoding of objects.
    public init(_ values: JSON, booleans: Booleans = .numbers, arrays: Arrays = .brackets, objects: Objects = .brackets) {
        self.values = values
        self.booleans = booleans
        self.arrays = arrays
        self.objects = objects
    }

    /// The query items, sorted by name; the items of one array keep its order.
    public var items: [URLQueryItem] {
        guard let members = values.object else { return [] }
        let items = members.flatMap { self.items(named: $0.key, $0.value) }
        return items.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }

    /// The query as it appears in a URL or a form, percent-encoded.
    public var text: String {
        items.map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }.joined(separator: "&")
    }

    private func items(named name: String, _ value: JSON) -> [URLQueryItem] {
        switch value {
        case .null: []
        case .bool(let value): [URLQueryItem(name: name, value: text(of: value))]
        case .number(let number): [URLQueryItem(name: name, value: number.literal)]
        case .string(let text): [URLQueryItem(name: name, value: text)]
        case .array(let elements): elements.enumerated().flatMap { items(named: elementName(name, $0), $1) }
        case .object(let members): members.flatMap { items(named: memberName(name, $0.key), $0.value) }
        }
    }

    private func text(of value: Bool) -> String {
        switch booleans {
        case .numbers: value ? "1" : "0"
        case .words: value ? "true" : "false"
        }
    }

    private func elementName(_ name: String, _ index: Int) -> String {
        switch arrays {
        case .brackets: name + "[]"
        case .repeated: name
        case .custom(let makeName): makeName(name, index)
        }
    }

    private func memberName(_ name: String, _ key: String) -> String {
        switch objects {
        case .brackets: "\(name)[\(key)]"
        case .dots: "\(name).\(key)"
        case .custom(let makeName): makeName(name, key)
        }
    }
}

extension URL {
    /// Returns this URL with a query added to its own.
    ///
    /// - Throws: ``HTTPRequest/RouteFailure/impossibleURL(_:)``.
    func adding(_ query: URLQuery) throws -> URL {
        let added = query.text
        guard !added.isEmpty else { return self }
        let (front, fragment) = absoluteString.splitBefore { $0 == "#" }
        let separator = !front.contains("?") ? "?" : front.hasSuffix("?") || front.hasSuffix("&") ? "" : "&"
        guard let url = URL(lenient: front + separator + added + fragment) else {
            throw HTTPRequest.RouteFailure.impossibleURL(redacted(self))
        }
        return url
    }
}
