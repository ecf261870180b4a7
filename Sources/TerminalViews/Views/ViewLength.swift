extension View {
    /// The length of a view along the axis of its stack.
    public enum Length: Hashable, Sendable {
        /// The length of its content.
        case fit
        /// A fixed number of cells.
        case fixed(Int)
        /// A share of the remaining cells, in proportion to its weight, at least `minimum` and at most `maximum` cells. With weight 0, it
        /// gets its minimum and the cells that the others leave.
        case flexible(weight: Int = 1, minimum: Int = 0, maximum: Int = .max)

        /// Distributes `available` cells. `fitting` contains the content length of each view. If there are too few cells, the last views
        /// get less, down to nothing. O(n²) in the worst case, for the few views of a screen.
        static func distribute(_ lengths: [Length], fitting: [Int], available: Int, spacing: Int) -> [Int] {
            var sizes = zip(lengths, fitting).map { length, fitting in
                switch length {
                case .fit: fitting
                case .fixed(let cells): cells
                case .flexible(_, let minimum, _): minimum
                }
            }
            let gaps = max(0, lengths.count - 1) * spacing
            var left = available - gaps - sizes.reduce(0, +)
            if left < 0 { return squeezed(sizes, by: -left) }
            var growing = lengths.indices.filter { lengths[$0].limit > sizes[$0] }
            while left > 0, !growing.isEmpty {
                let weights = growing.reduce(0) { $0 + lengths[$1].weight }
                let share = left
                for (position, index) in growing.enumerated() {
                    let isLast = position == growing.count - 1
                    let wanted = isLast ? left : share * lengths[index].weight / max(1, weights)
                    let given = min(wanted, lengths[index].limit - sizes[index], left)
                    sizes[index] += given
                    left -= given
                }
                growing.removeAll { lengths[$0].limit <= sizes[$0] }
            }
            return sizes
        }

        private static func squeezed(_ sizes: [Int], by excess: Int) -> [Int] {
            var sizes = sizes
            var excess = excess
            for index in sizes.indices.reversed() {
                let cut = min(excess, sizes[index])
                sizes[index] -= cut
                excess -= cut
            }
            return sizes
        }

        private var weight: Int {
            if case .flexible(let weight, _, _) = self { weight } else { 0 }
        }

        private var limit: Int {
            if case .flexible(_, _, let maximum) = self { maximum } else { 0 }
        }
    }
}
