import FoundationEssentials
import TerminalUI

/// The confirmation of a change to the focus.
struct FocusView: ComponentPresentation {
    let cameraName: String
    let action: String
    let json: Data

    private var sentence: String {
        switch action {
        case "auto": "\(cameraName) is in focus."
        case "cancel": "\(cameraName) stopped autofocus."
        default: "The focus of \(cameraName) was moved."
        }
    }

    var parts: [any Component] { [BannerView(.success, "Done", sentence)] }

    func plain() -> [String] { ["camera \(TerminalText.escaped(cameraName)) focus: \(action)"] }
}
