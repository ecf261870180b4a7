import StreamsTesting
import Testing

@testable import TerminalViews

@MainActor
@Suite("A table shows rows in columns", .countsResources)
struct TableTests {
    private func makeTable(rows count: Int) -> Table {
        let table = Table(columns: [.init("Name", width: .flexible()), .init("Price", width: .fixed(7), alignment: .trailing)])
        table.rows = (0..<count).map { Table.Row(id: "id\($0)", [.text(StyledText("row \($0)")), "\($0).00"]) }
        return table
    }

    private func lines(_ table: Table, _ width: Int, _ height: Int) -> [String] {
        table.snapshot(in: Size(width: width, height: height)).text.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    @Test func `Header and rows are aligned in columns`() {
        #expect(lines(makeTable(rows: 2), 20, 4) == [" Name          Price", " row 0          0.00", " row 1          1.00", ""])
    }

    @Test func `The sort column has an indicator`() {
        let table = makeTable(rows: 1)
        table.sorting = .init(column: 1, isAscending: false)
        #expect(lines(table, 20, 1) == [" Name        Price ▼"])
        table.sorting = .init(column: 0)
        #expect(lines(table, 20, 1) == [" Name ▲        Price"])
    }

    @Test func `The first row is selected by default and the selection moves with the keys`() {
        let table = makeTable(rows: 10)
        _ = lines(table, 20, 5)
        #expect(table.selectedID == "id0")
        table.handle(.down)
        #expect(table.selectedID == "id1")
        table.handle(.pageDown)
        #expect(table.selectedID == "id4")
        table.handle(.end)
        table.handle(.down)
        #expect(table.selectedID == "id9")
        #expect(!table.handle(.character("x")))
        table.handle(.home)
        table.handle(.up)
        #expect(table.selectedID == "id0")
    }

    @Test func `The selected row is inverse, the list scrolls with it, and a scroll bar shows the position`() {
        let table = makeTable(rows: 10)
        table.selectedID = "id6"
        #expect(lines(table, 20, 4) == [" Name         Price", " row 4         4.00", " row 5         5.00▐", " row 6         6.00"])
        let canvas = table.snapshot(in: Size(width: 20, height: 4))
        #expect(canvas[3, 3]?.style == .inverse)
        #expect(canvas[3, 2]?.style == .plain)
    }

    @Test func `The first row may be held, while others come before it, and the table stays at its top`() {
        let table = Table(columns: [.init("A")])
        let rows = (0..<9).map { Table.Row(id: "\($0)", ["row \($0)"]) }
        table.rows = rows
        table.rows = rows.reversed()
        #expect(table.selectedID == "8")
        table.holdsFirstRow = true
        table.rows = rows
        #expect(table.selectedID == "8")
        #expect(table.snapshot(in: Size(width: 9, height: 4)).text.contains("row 0"))
        table.rows = Array(rows.dropLast())
        #expect(table.selectedID == "0")
        table.rows = rows
        table.handle(.end)
        #expect(table.snapshot(in: Size(width: 9, height: 4)).text.contains("row 8"))
    }

    @Test func `The selection follows its row when the rows are reordered, and keeps its position when the row is removed`() {
        let table = makeTable(rows: 4)
        table.selectedID = "id1"
        table.rows.reverse()
        #expect(table.selectedID == "id1")
        table.rows.removeAll { $0.id == "id1" }
        #expect(table.selectedID == "id0")
        table.rows = []
        #expect(table.selectedID == "id0")
        #expect(table.handle(.down))
        table.rows = [Table.Row(id: "new", ["n"])]
        #expect(table.selectedID == "new")
    }

    @Test func `Until a row is selected, the first one is, whichever that is`() {
        let table = makeTable(rows: 3)
        table.rows.reverse()
        #expect(table.selectedID == "id2")
        table.handle(.down)
        table.rows.reverse()
        #expect(table.selectedID == "id1")
    }

    @Test func `In the selected row bars have the colors of the row, and no hole is cut into it`() {
        let table = Table(columns: [.init("A", width: .fixed(1)), .init("B", width: .fixed(4))])
        table.rows = ["1", "2"].map { Table.Row(id: $0, ["a", .sparkline([1, 2, .nan, 3], Style(.cyan))]) }
        let inverse = table.snapshot(in: Size(width: 8, height: 3))
        #expect((0..<8).allSatisfy { inverse[$0, 1]?.style == .inverse })
        #expect(inverse[6, 2]?.style == Style(.cyan) && inverse[6, 1]?.character == "▇")
        table.selectedStyle = Style(.standard, on: .blue)
        let colored = table.snapshot(in: Size(width: 8, height: 3))
        #expect((0..<8).allSatisfy { colored[$0, 1]?.style.background == .blue } && colored[6, 1]?.style.foreground == .cyan)
    }

    @Test func `The columns that there is room for are emitted when they change`() {
        let table = Table(columns: [.init("A", width: .fixed(5)), .init("B", width: .fixed(5), rank: 1)])
        let shown = Lock<[[Int]]>([])
        let subscription = table.shownColumns.subscribe(onNext: { columns in shown.withLock { $0.append(columns) } })
        for width in [20, 30, 8, 30] { _ = table.snapshot(in: Size(width: width, height: 2)) }
        #expect(shown.withLock { $0 } == [[0, 1], [0], [0, 1]])
        subscription.dispose()
    }

    @Test func `An empty table shows its placeholder`() {
        let table = makeTable(rows: 0)
        table.placeholder = "Nothing yet"
        #expect(lines(table, 20, 2) == [" Name          Price", " Nothing yet"])
    }

    @Test func `Long and wide texts are clipped, and a column can fit its content`() {
        let table = Table(columns: [.init("A", width: .fit), .init("B", width: .fixed(4)), .init("C", width: .fixed(4))])
        table.rows = [Table.Row(id: "1", ["wide one", "日本語", .sparkline([1, 2, 3])])]
        #expect(lines(table, 30, 2) == [" A        B    C", " wide one 日…   ▁▄▇"])
    }

    @Test func `A row with too few values leaves columns empty, one with too many hides the rest`() {
        let table = makeTable(rows: 0)
        table.rows = [Table.Row(id: "a", []), Table.Row(id: "b", ["x", "y", "z"])]
        #expect(lines(table, 20, 3) == [" Name          Price", "", " x                 y"])
    }

    private func makeRanked() -> Table {
        let table = Table(columns: [
            .init("Name", width: .fit, minimum: 8, truncation: .middle), .init("State", width: .fixed(5)),
            .init("Latency", width: .fixed(7), alignment: .trailing, rank: 1), .init("Graph", width: .flexible(minimum: 6), rank: 2),
            .init("Error", width: .fit, rank: 3, minimum: 6),
        ])
        table.rows = [
            Table.Row(id: "1", ["service/users/health", "up", "1 ms", .sparkline([1, 2, 3, 4]), ""]),
            Table.Row(id: "2", ["service/orders/health", "down", "9 ms", .sparkline([4, 3, 2]), "refused"]),
        ]
        return table
    }

    @Test func `Columns disappear by their rank, no title is cut, and every column has the width of its content where there is room`() {
        #expect(
            lines(makeRanked(), 60, 3) == [
                " Name                  State Latency Graph           Error",
                " service/users/health  up       1 ms            ▁▃▅▇",
                " service/orders/health down     9 ms             ▇▄▁ refused",
            ])
        #expect(lines(makeRanked(), 36, 1)[0].hasSuffix("Graph"))
        #expect(lines(makeRanked(), 28, 1)[0].hasSuffix("Latency"))
        #expect(lines(makeRanked(), 20, 1)[0].hasSuffix("State"))
    }

    @Test func `A column that prefers to be wider is whole before columns of a higher rank are shown`() {
        let table = makeRanked()
        table.columns[0] = .init("Name", width: .fit, minimum: 8, preferred: 30, over: 1, truncation: .middle)
        #expect(lines(table, 36, 3).prefix(2) == [" Name                  State Latency", " service/users/health  up       1 ms"])
        #expect(lines(table, 28, 3).prefix(2) == [" Name          State Latency", " service/u…lth up       1 ms"])
        #expect(lines(table, 44, 1)[0].hasSuffix("Graph"))
    }

    @Test func `A row that changed is drawn, and one that did not stays what it was`() {
        let table = makeTable(rows: 3)
        let size = Size(width: 20, height: 4)
        #expect(table.snapshot(in: size) == table.snapshot(in: size))
        table.rows[1] = Table.Row(id: "id1", ["changed", "7"])
        #expect(lines(table, 20, 4) == [" Name          Price", " row 0          0.00", " changed           7", " row 2          2.00"])
        table.rows.swapAt(0, 2)
        table.handle(.down)
        let moved = table.snapshot(in: size)
        let fresh = makeTable(rows: 0)
        fresh.rows = table.rows
        fresh.selectedID = table.selectedID
        #expect(moved == fresh.snapshot(in: size))
        table.selectedStyle = .bold
        fresh.selectedStyle = .bold
        table.columns[1] = .init("Price", width: .fixed(9))
        fresh.columns = table.columns
        #expect(table.snapshot(in: size) == fresh.snapshot(in: size))
    }

    @Test func `On a background that is not blank a row shows what is behind it`() {
        let table = makeTable(rows: 2)
        let behind = Label("first\n\nbehind the row", style: Style(.standard, on: .blue))
        let layers = Layers([behind, table])
        let size = Size(width: 20, height: 3)
        #expect(layers.snapshot(in: size)[7, 2]?.character == "t")
        behind.text = "first"
        #expect(layers.snapshot(in: size)[7, 2] == behind.snapshot(in: size)[7, 2])
        behind.isHidden = true
        #expect(layers.snapshot(in: size)[7, 2] == .blank)
    }

    @Test func `Texts that differ still differ when their middles are cut`() {
        let narrow = lines(makeRanked(), 20, 3)
        #expect(narrow[1] != narrow[2])
        #expect(narrow[1].contains("…") && narrow[2].contains("…"))
    }

    @Test func `A hidden column takes no space`() {
        let table = makeTable(rows: 1)
        table.columns[0].isHidden = true
        #expect(lines(table, 20, 2) == ["   Price", "    0.00"])
    }

    @Test func `Of many rows whose values are made when they are drawn, only those of visible rows are made`() {
        let made = Lock<[Int]>([])
        let rows = { (version: Int) in
            (0..<100_000).map { index in
                Table.Row(id: "\(index)", version: version) {
                    made.withLock { $0.append(index) }
                    return [.text(StyledText("row \(index)"))]
                }
            }
        }
        let table = Table(columns: [Table.Column("Name")])
        table.rows = rows(1)
        #expect(table.snapshot(in: Size(width: 20, height: 4)).text.contains("row 2"))
        #expect(made.withLock(\.self) == [0, 1, 2])
        #expect(rows(1)[0] == rows(1)[0] && rows(1)[0] != rows(2)[0])
        table.handle(.end)
        #expect(table.snapshot(in: Size(width: 20, height: 4)).text.contains("row 99999"))
        table.rows = rows(2)
        #expect(table.snapshot(in: Size(width: 20, height: 4)).text.contains("row 99999"))
        #expect(made.withLock(\.count) < 20)
    }
}
