extension JSON {
    /// The members of an object in their order. The order is irrelevant for equality.
    public struct Object: Sendable {
        /// The names in order.
        public private(set) var keys: [String] = []
        private var values: [Bytes: JSON] = [:]

        /// Creates an object without members.
        public init() {}

        /// Creates an object; of two members with the same name the later one wins.
        public init(_ members: some Sequence<(String, JSON)>) {
            for (key, value) in members { self[key] = value }
        }

        /// The value of a member. Setting it adds or replaces the member, setting `nil` removes it.
        ///
        /// Complexity: O(1); O(n) to remove a member.
        public subscript(key: String) -> JSON? {
            get { values[Bytes(text: key)] }
            set {
                let name = Bytes(text: key)
                let old = newValue.map { values.updateValue($0, forKey: name) } ?? values.removeValue(forKey: name)
                if newValue == nil { keys.removeAll { Bytes(text: $0) == name } } else if old == nil { keys.append(key) }
            }
        }
    }
}

extension JSON.Object: RandomAccessCollection {
    public var startIndex: Int { keys.startIndex }
    public var endIndex: Int { keys.endIndex }
    public subscript(position: Int) -> (key: String, value: JSON) {
        (keys[position], self[keys[position]] ?? .null)
    }
}

extension JSON.Object: Hashable, ExpressibleByDictionaryLiteral {
    public static func == (left: JSON.Object, right: JSON.Object) -> Bool { left.values == right.values }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}
