import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of the third seed about observers, under its section titles. Those about binders stand with the terminal views.
@Suite(.countsResources)
struct ThirdSeedTests {
    /// What the seed prints.
    final class Output: Sendable {
        private let printed = Lock<[String]>([])

        var lines: [String] { printed.withLock { $0 } }

        func print(_ line: String) {
            printed.withLock { $0.append(line) }
        }
    }

    struct TError: Error, LocalizedError {
        let errorCode: Int
        let errorString: String
        let errorData: Data?

        var errorDescription: String? { errorString }
    }

    @Suite("如何创建观察者", .countsResources) @MainActor
    struct HowToMakeAnObserver {
        @MainActor
        final class Screen {
            let tap = PublishSubject<Void>()
            let output = Output()
            private let disposeBag = DisposeBag()

            func start() {
                tap.subscribeOnMain(
                    onNext: { [weak self] in
                        self?.showAlert()
                    },
                    onError: { [output] error in
                        output.print("发生错误： \(error.localizedDescription)")
                    },
                    onCompleted: { [output] in
                        output.print("任务完成")
                    }
                ).disposed(by: disposeBag)
            }

            func showAlert() {
                output.print("alert")
            }
        }

        @Test("an observer is made of the closures of subscribe") func closures() async {
            let screen = Screen()
            screen.start()
            screen.tap.onNext(())
            screen.tap.onCompleted()
            await mainLoopTurn()
            #expect(screen.output.lines == ["alert", "任务完成"])

            let failing = Screen()
            failing.start()
            failing.tap.onError(TError(errorCode: 1, errorString: "broken", errorData: nil))
            await mainLoopTurn()
            #expect(failing.output.lines == ["发生错误： broken"])
        }
    }

    @Suite("AnyObserver", .countsResources)
    struct AnyObserverSection {
        @Test("any observer can be described by a closure on events") func events() {
            let output = Output()
            let observer: AnyObserver<Int> = AnyObserver.init { (event) in
                switch event {
                case .next(let value):
                    output.print("\(value)")
                case .error(let error):
                    output.print("\(error)")
                case .completed:
                    output.print("completed")
                }
            }
            let disposeBag = DisposeBag()
            let someObservableVar = Observable.of(1, 2)
            someObservableVar.subscribe(observer).disposed(by: disposeBag)
            #expect(output.lines == ["1", "2", "completed"])
        }

        /// The screen of the example, which loads JSON with a session.
        final class Loader: Sendable {
            let output = Output()
            let isOver = Slot<Void>()
            private let disposeBag = DisposeBag()

            func getObservable(with url: String) -> Observable<JSON> {
                return Observable<JSON>.create { (observer) -> any Disposable in
                    guard let url = URL.init(string: url) else {
                        let err = TError.init(errorCode: 10, errorString: "url error", errorData: nil)
                        observer.onError(err)
                        return Disposables.create()
                    }
                    let request = URLRequest.init(url: url)
                    let task = URLSession.shared.dataTask(
                        with: request,
                        completionHandler: { (data, response, error) in
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
                getObservable(with: url).subscribe(
                    onNext: { [output] (jsonObj) in
                        output.print("Get JSON success")
                        output.print("\(jsonObj["name"]?.string ?? "")")
                    },
                    onError: { [output, isOver] (error) in
                        if let error = error as? TError {
                            output.print("\(error.errorCode) \(error.errorString)")
                        } else {
                            output.print(error.localizedDescription)
                        }
                        isOver.fill(())
                    },
                    onCompleted: { [output, isOver] in
                        output.print("completed")
                        isOver.fill(())
                    }
                ).disposed(by: disposeBag)
            }

            func testCreateObserver(_ url: String) {
                let observer: AnyObserver<JSON> = AnyObserver.init { [output, isOver] (event) in
                    switch event {
                    case .next(let jsonObj):
                        output.print("Get JSON success")
                        output.print("\(jsonObj["name"]?.string ?? "")")
                    case .error(let error):
                        if let err = error as? TError {
                            output.print("\(err.errorCode) \(err.errorString)")
                        } else {
                            output.print(error.localizedDescription)
                        }
                        isOver.fill(())
                    case .completed:
                        output.print("completed")
                        isOver.fill(())
                    }
                }
                getObservable(with: url).subscribe(observer).disposed(by: disposeBag)
            }
        }

        @Test("the closures of subscribe and an AnyObserver do the same", arguments: [false, true])
        func equivalent(withObserver: Bool) throws {
            let server = LoopbackServer(routes: [
                .get("/") { _ in .text(#"{"name": "a"}"#) }, .get("/broken") { _ in .text("{") },
            ])
            try server.start()
            defer { server.stop() }
            let base = server.baseURL.absoluteString + "/"
            for (url, lines) in [
                (base, ["Get JSON success", "a", "completed"]), (base + "broken", ["11 json error"]), ("", ["10 url error"]),
            ] {
                let loader = Loader()
                if withObserver { loader.testCreateObserver(url) } else { loader.theGeneralPractice(url) }
                _ = loader.isOver.wait()
                #expect(loader.output.lines == lines)
            }
        }
    }
}

/// Returns when the main loop has done what was enqueued before.
func mainLoopTurn() async {
    await withCheckedContinuation { continuation in
        _ = MainScheduler.asyncInstance.schedule { continuation.resume() }
    }
}
