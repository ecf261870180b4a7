import StreamsTesting
import Testing

@Suite("Marble diagrams", .countsResources)
struct MarbleTests {
    @Test func `A column is a tick, and a group happens at its parenthesis`() throws {
        let events = try Marble.Diagram<String>("--a--(bc)|").events
        #expect(events == [.next(2, "a"), .next(5, "b"), .next(5, "c"), .completed(9)])
    }

    @Test func `Spaces align diagrams and take no time`() throws {
        #expect(try Marble.Diagram<Int>(" -1 -- 2# ").events == [.next(1, 1), .next(4, 2), .error(5)])
    }

    @Test func `Marks define subscription and disposal`() throws {
        #expect(try Marble.Diagram<String>("--^---!").subscription == TestScheduler.Subscription(2, 6))
        #expect(try Marble.Diagram<String>("--^").subscription == TestScheduler.Subscription(2))
    }

    @Test func `Named values and errors are used`() throws {
        let events = try Marble.Diagram("a#", values: ["a": [1, 2]], error: TestError("late")).events
        #expect(events == [.next(0, [1, 2]), .error(1, TestError("late"))])
    }

    @Test(
        arguments: [
            ("-x-", 1, .unknownElement("x")),
            ("--(12", 2, .groupIsOpen),
            ("12)", 2, .groupIsNotOpen),
            ("(1(2))", 2, .nestedGroup),
            ("(1-2)", 2, .timeInGroup("-")),
            ("(1^)", 2, .timeInGroup("^")),
            ("1|-2", 3, .afterTheEnd),
            ("#|", 1, .afterTheEnd),
            ("(|1)", 2, .afterTheEnd),
            ("!", 0, .misplacedMark("!")),
            ("^-^", 2, .misplacedMark("^")),
            ("^!!", 2, .misplacedMark("!")),
        ] as [(String, Int, Marble.SyntaxError.Reason)])
    func `A wrong diagram says where it is wrong and why`(diagram: String, offset: Int, reason: Marble.SyntaxError.Reason) {
        #expect(throws: Marble.SyntaxError(diagram: diagram, offset: offset, reason: reason)) {
            try Marble.Diagram<Int>(diagram)
        }
    }

    @Test func `A syntax error points at its position`() {
        let error = Marble.SyntaxError(diagram: "-x-", offset: 1, reason: .unknownElement("x"))
        #expect(error.description == "the marble diagram is wrong\n-x-\n ^ 'x' denotes no element: name it in `values`")
    }

    @Test(arguments: [("🙂字x", 2, 4), ("e\u{301}-x", 2, 2), ("\u{200B}-x", 2, 1), ("❤️x", 1, 2), ("한x", 1, 2), ("ｱx", 1, 1)])
    func `A caret counts columns: wide characters are two, combining ones none`(diagram: String, offset: Int, column: Int) {
        let error = Marble.SyntaxError(diagram: diagram, offset: offset, reason: .afterTheEnd)
        let lines = error.description.split(separator: "\n")
        #expect(lines[1] == diagram)
        #expect(lines[2].prefix { $0 == " " }.count == column)
    }

    @Test(arguments: ["", "|", "--a--(bc)|", "(ab#)", "-a-b-c-#", "a", "(a|)", "ab(cd)e"])
    func `A drawn diagram is parsed back equally`(diagram: String) throws {
        var printer = Marble.Printer()
        #expect(printer.draw(try Marble.Diagram<String>(diagram).events) == diagram)
        #expect(printer.legend == [])
    }

    @Test func `Elements of several characters get letters and a legend`() {
        var printer = Marble.Printer(values: ["x": 10])
        #expect(printer.draw([.next(1, 10), .next(2, 11), .next(3, 11), .error(4, TestError("late"))]) == "-xaa#")
        #expect(printer.legend == ["a = 11", "# = late"])
    }

    @Test func `Times between ticks, and groups that do not fit, are listed instead`() {
        var printer = Marble.Printer()
        #expect(printer.draw([Recorded<Int>.next(at: .milliseconds(1_500), 1)]) == "next(1) at 1.5 seconds")
        #expect(
            printer.draw([Recorded.next(1, 1), .next(1, 2), .completed(2)])
                == "next(1) at 1.0 seconds, next(2) at 1.0 seconds, completed at 2.0 seconds")
    }

    @Test func `Any diagram is parsed or rejected with a position`() {
        var random = SeededGenerator(seed: 2_026)
        let alphabet = Array("-|#()^! a1é🙂")
        for _ in 0..<2_000 {
            let text = String((0..<Int.random(in: 0...12, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
            do {
                var printer = Marble.Printer()
                let events = try Marble.Diagram<String>(text).events
                let drawn = printer.draw(events)
                // A diagram that was read is drawn, and reads back the same; an instant that has passed already is listed instead.
                if !drawn.contains(" at "), printer.legend.isEmpty {
                    #expect(try Marble.Diagram<String>(drawn).events == events, "\(text) was drawn as \(drawn)")
                }
            } catch let error as Marble.SyntaxError {
                #expect(error.offset < text.count, "\(text)")
            } catch {
                Issue.record("\(text) was refused with \(error)")
            }
        }
    }
}
