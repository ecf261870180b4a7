import StreamsTesting
import Testing

@testable import TerminalViews

/// The examples of the third seed about binders, under its section titles, with terminal views.
@Suite(.countsResources) @MainActor
struct ThirdSeedTests {
    /// A control, as the seed's buttons are.
    class Control: View {
        var isEnabled = true
    }

    final class Picture: Sendable, Equatable {
        let name: String

        init(_ name: String) {
            self.name = name
        }

        nonisolated static func == (left: Picture, right: Picture) -> Bool { left.name == right.name }
    }

    final class ImageView: View {
        var image: Picture?
    }

    @Suite("Binder", .countsResources) @MainActor
    struct BinderSection {
        let usernameValidOutlet = Label("user name is valid")
        let usernameValid = PublishSubject<Bool>()
        let disposeBag = DisposeBag()

        /// The screen of the first example, which its observer must not hold.
        @MainActor
        final class Screen {
            let usernameValidOutlet = Label("user name is valid")
            private let disposeBag = DisposeBag()

            func bind(_ usernameValid: Observable<Bool>) {
                let observer: AnyObserver<Bool> = AnyObserver.main { [weak self] (event) in
                    switch event {
                    case .next(let isHidden):
                        self?.usernameValidOutlet.isHidden = isHidden
                    default:
                        break
                    }
                }

                usernameValid
                    .bind(to: observer)
                    .disposed(by: disposeBag)
            }
        }

        @Test("示例: an AnyObserver that sets a view") func anyObserver() async {
            let screen = Screen()
            screen.bind(usernameValid.asObservable())
            usernameValid.onNext(true)
            await mainLoopTurn()
            #expect(screen.usernameValidOutlet.isHidden)
        }

        @Test("示例: a Binder does it on the main loop, from any thread") func binder() async {
            let observer: Binder<Bool> = Binder(usernameValidOutlet) { (view, isHidden) in
                view.isHidden = isHidden
            }

            usernameValid
                .bind(to: observer)
                .disposed(by: disposeBag)

            await Task.detached { [usernameValid] in usernameValid.onNext(true) }.value
            await mainLoopTurn()
            #expect(usernameValidOutlet.isHidden)
        }
    }

    @Suite("复用", .countsResources) @MainActor
    struct Reuse {
        let disposeBag = DisposeBag()

        @Test("every view offers its binders") func reactive() async {
            let usernameValidOutlet = Label("user name is valid")
            let usernameValid = BehaviorRelay(value: true)
            usernameValid
                .bind(to: usernameValidOutlet.rx.isHidden)
                .disposed(by: disposeBag)

            let button = Control()
            usernameValid.map { !$0 }.bind(to: button.rx.isEnabled).disposed(by: disposeBag)
            let label = Label()
            Observable.just("text").bind(to: label.rx.text).disposed(by: disposeBag)

            await mainLoopTurn()
            #expect(usernameValidOutlet.isHidden && !button.isEnabled && label.text == "text")
        }

        /// The downloader of the example.
        final class Downloader: Sendable {
            let isCancelled = Lock(false)

            func getImage(_ picture: Result<Picture, TestError>) -> Observable<Picture> {
                return Observable<Picture>.create { [self] (observer) -> any Disposable in
                    switch picture {
                    case .success(let image):
                        observer.onNext(image)
                        observer.onCompleted()
                    case .failure(let error):
                        observer.onError(error)
                    }
                    return Disposables.create {
                        self.isCancelled.withLock { $0 = true }
                    }
                }
            }
        }

        @Test(
            "a driver shows what was downloaded, or a placeholder",
            arguments: [(.success(Picture("photo")), "photo"), (.failure(.failed), "placeholder")] as [(Result<Picture, TestError>, String)]
        )
        func driver(_ picture: Result<Picture, TestError>, shown: String) async {
            let imageView = ImageView()
            let downloader = Downloader()
            downloader.getImage(picture).asDriver(onErrorJustReturn: Picture("placeholder"))
                .drive(imageView.rx.image)
                .disposed(by: disposeBag)
            await mainLoopTurn()
            #expect(imageView.image?.name == shown)
            #expect(downloader.isCancelled.withLock { $0 })
        }

        @Test("a binder made by hand does the same") func testCreateImageViewObserver() async {
            let imageView = ImageView()
            let observer: Binder<Picture> = Binder.init(imageView) { (imageView, image) in
                imageView.image = image
            }

            Downloader().getImage(.success(Picture("photo"))).asDriver(onErrorJustReturn: Picture("placeholder")).drive(observer)
                .disposed(by: disposeBag)
            await mainLoopTurn()
            #expect(imageView.image?.name == "photo")
        }
    }

    @Suite("总结", .countsResources) @MainActor
    struct Summary {
        @Test("driven, or bound after observe(on:)") func both() async {
            let disposeBag = DisposeBag()
            let imageView = ImageView()
            let observer: Binder<Picture> = Binder.init(imageView) { (imageView, image) in
                imageView.image = image
            }
            let placeholderImage = Picture("placeholder")
            let someImageObservableVar = PublishSubject<Picture>()
            someImageObservableVar.asDriver(onErrorJustReturn: placeholderImage).drive(observer).disposed(by: disposeBag)
            someImageObservableVar.onNext(Picture("driven"))
            await mainLoopTurn()
            #expect(imageView.image?.name == "driven")
            let other = PublishSubject<Picture>()
            other.observe(on: MainScheduler.instance).bind(to: observer).disposed(by: disposeBag)
            other.onNext(Picture("bound"))
            await mainLoopTurn()
            await mainLoopTurn()
            #expect(imageView.image?.name == "bound")
        }
    }
}

extension Reactive where Base: View {
    /// As the seed writes it.
    fileprivate var isHidden: Binder<Bool> {
        return Binder(self.base) { view, hidden in
            view.isHidden = hidden
        }
    }
}

extension Reactive where Base: ThirdSeedTests.Control {
    fileprivate var isEnabled: Binder<Bool> {
        return Binder(self.base) { control, value in
            control.isEnabled = value
        }
    }
}

extension Reactive where Base: Label {
    fileprivate var text: Binder<String?> {
        return Binder(self.base) { label, text in
            label.text = text ?? ""
        }
    }
}

extension Reactive where Base: ThirdSeedTests.ImageView {
    /// Bindable sink for `image` property.
    fileprivate var image: Binder<ThirdSeedTests.Picture?> {
        return Binder(base) { imageView, image in
            imageView.image = image
        }
    }
}

/// Returns when the main loop has done what was enqueued before.
func mainLoopTurn() async {
    await withCheckedContinuation { continuation in
        _ = MainScheduler.asyncInstance.schedule { continuation.resume() }
    }
}
