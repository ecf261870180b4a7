import StreamsTesting
import Testing

@testable import Streams

@Suite("Short lists") struct ShortListTests {
    @Test func `It does what an array does, for as many elements as there are`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var (list, array) = (ShortList<Int>(), [Int]())
            for number in 0..<20 {
                let index = Int.random(in: 0...array.count, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    list.append(number)
                    array.append(number)
                case 2:
                    list.insert(number, at: index)
                    array.insert(number, at: index)
                case 3 where index < array.count: #expect(list.remove(at: index) == array.remove(at: index))
                case 4 where index < array.count: (list[index], array[index]) = (-number, -number)
                default:
                    list.removeAll { $0 % 3 == 0 }
                    array.removeAll { $0 % 3 == 0 }
                }
                #expect(Array(list) == array)
                #expect(list.first == array.first)
                #expect(list.count == array.count)
            }
        }
    }
}
