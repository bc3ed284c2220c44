import FoundationEssentials
import Localization
import TerminalUI

/// What was done with the focus.
struct FocusView: ComponentPresentation {
    let cameraName: String
    let what: String
    let json: Data

    private var sentence: String {
        switch what {
        case "auto": localized("\(cameraName) has found the focus.")
        case "cancel": localized("\(cameraName) looks for the focus no more.")
        default: localized("The focus of \(cameraName) was moved.")
        }
    }

    var parts: [any Component] { [BannerView(.success, localized("Done"), sentence)] }

    func plain() -> [String] { ["camera \(TerminalText.escaped(cameraName)) focus: \(what)"] }
}
