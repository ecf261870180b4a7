import Foundation
import StreamsSimulator

// swift run -c release Shop 10000                     ten thousand seeds of the shop
// swift run -c release Shop 1000 lostAcknowledgement  a thousand of a shop with a mistake
// swift run -c release Shop                           the names of the mistakes
let words = Array(CommandLine.arguments.dropFirst())
let bounds = words.first?.split(separator: "-").compactMap { Int($0) } ?? []
guard let count = bounds.last, count > (bounds.count == 2 ? bounds[0] : 0), words.count < 2 || Mistake(rawValue: words[1]) != nil else {
    print("usage: Shop SEEDS|FROM-TO [\(Mistake.allCases.map(\.rawValue).joined(separator: " | "))]")
    exit(2)
}
let mistake = words.count > 1 ? Mistake(rawValue: words[1]) : nil
let start = ContinuousClock.now
do {
    let report = try await Simulation.explore(seeds: (bounds.count == 2 ? bounds[0] : 0)..<count, countsOperators: true) { world in
        try await ShopWorld.run(world, mistake: mistake)
    }
    print("\(report)\nin \(ContinuousClock.now - start)")
} catch {
    print("\(error)\nafter \(ContinuousClock.now - start)")
    exit(1)
}
