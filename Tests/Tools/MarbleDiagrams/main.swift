import Foundation
import OperatorCatalogue
import StreamsTesting

// Draws every operator by running it under virtual time: a picture that cannot say anything else than what the operator does. Exits
// with 1 if one is not as the catalogue, and with it the documentation, shows it.
var differences = 0
for entry in Operator.all {
    for picture in entry.pictures {
        let run = try picture.run()
        var printer = MarblePrinter(values: picture.legend)
        let result = printer.draw(run.observer.events)
        print("\(picture.name)    \(entry.file)")
        for (index, input) in picture.inputs.enumerated() {
            print("   \(input)")
            if picture.subscriptions != nil { print("   \(run.subscriptions[index])") }
        }
        print("=> \(result)")
        for line in printer.legend { print("      \(line)") }
        print()
        let mismatch = run.observer.mismatch(with: picture.result, values: picture.legend, error: picture.error)
        let isSubscribedOtherwise = picture.subscriptions.map { $0 != run.subscriptions } ?? false
        guard mismatch != nil || isSubscribedOtherwise else { continue }
        differences += 1
        print("   The catalogue has \(picture.result) \(picture.subscriptions ?? [])\n")
    }
}
if differences > 0 { exit(1) }
