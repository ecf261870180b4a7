extension JSON {
    /// The members of an object in the order in which they were written. The order does not count when objects are compared.
    public struct Object: Sendable {
        /// The names in order.
        public private(set) var keys: [String] = []
        private var values: [String: JSON] = [:]

        public init() {}

        /// The given members; of two with one name the later value counts.
        public init(_ members: some Sequence<(String, JSON)>) {
            for (key, value) in members { self[key] = value }
        }

        /// The value of a member. Setting it adds or replaces, `nil` removes.
        ///
        /// Complexity: constant; linear when a member is removed.
        public subscript(key: String) -> JSON? {
            get { values[key] }
            set {
                let old = newValue.map { values.updateValue($0, forKey: key) } ?? values.removeValue(forKey: key)
                if newValue == nil { keys.removeAll { $0 == key } } else if old == nil { keys.append(key) }
            }
        }
    }
}

extension JSON.Object: RandomAccessCollection {
    public var startIndex: Int { keys.startIndex }
    public var endIndex: Int { keys.endIndex }
    public subscript(position: Int) -> (key: String, value: JSON) {
        (keys[position], values[keys[position]] ?? .null)
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
