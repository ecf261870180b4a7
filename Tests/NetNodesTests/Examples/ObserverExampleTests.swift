import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The listings about observers, under their section titles; Listings.md says what was changed. Those about binders stand with the terminal views.
///
/// The listings print to one place, so they run one after another.
@Suite("The listings about observers", .onOneThread, .countsResources, .stopsServers, .serialized, .blocksThread)
struct ObserverExampleTests {
    struct TError: Error, LocalizedError {
        let errorCode: Int
        let errorString: String
        let errorData: Data?

        var errorDescription: String? { errorString }

        func printLog() {
            print("\(errorCode) \(errorString)")
        }
    }

    @Suite("如何创建观察者") @MainActor
    struct HowToMakeAnObserver {
        @MainActor
        final class Screen {
            let tap = PublishSubject<Void>()
            private let disposeBag = DisposeBag()

            // swift-format-ignore
            func start() {
                tap.subscribeOnMain(onNext: { [weak self] in
                    self?.showAlert()
                }, onError: { error in
                    print("发生错误： \(error.localizedDescription)")
                }, onCompleted: {
                    print("任务完成")
                }).disposed(by: disposeBag)
            }

            func showAlert() {
                print("alert")
            }
        }

        @Test func `An observer is made of the closures of subscribe`() async {
            output.forget()
            let screen = Screen()
            screen.start()
            screen.tap.onNext(())
            screen.tap.onCompleted()
            await mainLoopTurn()
            #expect(output.lines == ["alert", "任务完成"])

            output.forget()
            let failing = Screen()
            failing.start()
            failing.tap.onError(TError(errorCode: 1, errorString: "broken", errorData: nil))
            await mainLoopTurn()
            #expect(output.lines == ["发生错误： broken"])
        }
    }

    @Suite("AnyObserver")
    struct AnyObserverSection {
        typealias Element = Int

        @Test func `It is an observer, as every type of them`() {
            func isObserver<Observer: ObserverType<Element>>(_ type: Observer.Type) -> Bool { true }
            #expect(isObserver(AnyObserver<Element>.self))
        }

        // swift-format-ignore
        @Test(arguments: [nil, TError(errorCode: 1, errorString: "broken", errorData: nil)])
        func `Any observer can be represented by a closure on events`(_ failure: TError?) {
            output.forget()
            let disposeBag = DisposeBag()
            let numbers = Observable.of(1, 2)
            let someObservableVar = failure.map { Observable<Int>.concat([numbers, .error($0)]) } ?? numbers
            let observer: AnyObserver<Element>  = AnyObserver.init { (event) in
                switch event {
                case .next(let value):
                    // 序列处理
                    print("\(value)")
                case .error(let error):
                    // error
                    print("\(error.localizedDescription)")
                case .completed:
                    // 完成
                    print("completed")
                }
            }
            someObservableVar.subscribe(observer).disposed(by: disposeBag)
            #expect(output.lines == ["1", "2", failure == nil ? "completed" : "broken"])
        }

        // swift-format-ignore
        final class Loader {
            private let disposeBag = DisposeBag()

            func getObservable(with url: String) -> Observable<JSON> {
                return Observable<JSON>.create { (observer) -> Disposable in
                    guard let url = URL.init(string: url) else {
                        let err = TError.init(errorCode: 10, errorString: "url error", errorData: nil)
                        observer.onError(err)
                        return Disposables.create()
                    }
                    let request = URLRequest.init(url: url)
                    let task = URLSession.shared.dataTask(with: request, completionHandler: { (data, response, error) in
                        if let err = error {
                            observer.onError(err)
                            return
                        }

                        guard let jsonData = data, let jsonObj = try? JSON(parsing: jsonData) else {
                            let err = TError.init(errorCode: 11, errorString: "json error", errorData: data)
                            observer.onError(err)
                            return
                        }
                        observer.onNext(jsonObj)
                        observer.onCompleted()
                    })
                    task.resume()
                    return Disposables.create {
                        task.cancel()
                    }
                }
            }

            func theGeneralPractice(_ url: String) {
                getObservable(with: url).subscribe(onNext: { (jsonObj) in
                    print("Get JSON success")
                    if let jsonData = jsonObj.text([.pretty]).data(using: String.Encoding.utf8) {
                        let jsonStr = String.init(data: jsonData, encoding: String.Encoding.utf8)
                        print(jsonStr ?? "")
                    }
                }, onError: { (error) in
                    if let error = error as? TError {
                        error.printLog()
                    } else {
                        print(error.localizedDescription)
                    }
                }, onCompleted: {
                    print("completed")
                }).disposed(by: disposeBag)
            }

            func testCreateObserver(_ url: String) {
                let observer: AnyObserver<JSON>  = AnyObserver.init { (event) in
                    switch event {
                    case .next(let jsonObj):
                        print("Get JSON success")
                        if let jsonData = jsonObj.text([.pretty]).data(using: String.Encoding.utf8) {
                            let jsonStr = String.init(data: jsonData, encoding: String.Encoding.utf8)
                            print(jsonStr ?? "")
                        }
                    case .error(let error):
                        if let err = error as? TError {
                            err.printLog()
                        } else {
                            print(error.localizedDescription)
                        }
                    case .completed:
                        print("completed")
                    }
                }
                getObservable(with: url).subscribe(observer).disposed(by: disposeBag)
            }
        }

        @Test(arguments: [false, true]) func `The closures of subscribe and an AnyObserver are equivalent`(withObserver: Bool) throws {
            let server = try running(
                .get("/") { _ in .text(#"{"name": "a"}"#) }, .get("/broken") { _ in .text("{") })
            let base = server.baseURL.absoluteString + "/"
            let pretty = try JSON(parsing: Data(#"{"name": "a"}"#.utf8)).text([.pretty])
            for (url, lines) in [
                (base, ["Get JSON success", pretty, "completed"]), (base + "broken", ["11 json error"]), ("", ["10 url error"]),
            ] {
                output.forget()
                let printed = output.lines(after: lines.count)
                let loader = Loader()
                if withObserver { loader.testCreateObserver(url) } else { loader.theGeneralPractice(url) }
                #expect(printed.wait() == lines)
            }
        }

        @Test(arguments: [false, true]) func `An error of the session is printed with its message`(withObserver: Bool) throws {
            let url = "http://127.0.0.1:\(try ReservedPorts.next())/"
            output.forget()
            let printed = output.lines(after: 1)
            let loader = Loader()
            if withObserver { loader.testCreateObserver(url) } else { loader.theGeneralPractice(url) }
            #expect(printed.wait()?.first?.isEmpty == false)
        }
    }
}

/// The output of the listings.
private let output = Output()

/// Prints where the tests can read it.
private func print(_ line: String) {
    output.print(line)
}

private final class Output: Sendable {
    private struct State {
        var lines: [String] = []
        var awaited: (count: Int, slot: Slot<[String]>)?
    }

    private let state = Lock(State())

    var lines: [String] { state.withLock { $0.lines } }

    func forget() {
        state.withLock { $0 = State() }
    }

    /// Filled when that many lines have been printed.
    func lines(after count: Int) -> Slot<[String]> {
        state.withLock {
            let slot = Slot<[String]>()
            $0.awaited = (count, slot)
            return slot
        }
    }

    func print(_ line: String) {
        state.withLock {
            $0.lines.append(line)
            if let awaited = $0.awaited, $0.lines.count == awaited.count { awaited.slot.fill($0.lines) }
        }
    }
}

/// Returns when the main loop has done what was enqueued before.
func mainLoopTurn() async {
    await withCheckedContinuation { continuation in
        _ = MainScheduler.asyncInstance.schedule { continuation.resume() }
    }
}
