import FoundationEssentials
import TerminalUI

/// What was done with the focus.
struct FocusView: ComponentPresentation {
    let camera: String
    let what: String
    let json: Data

    private var sentence: String {
        switch what {
        case "auto": "\(camera) has found the focus."
        case "cancel": "\(camera) looks for the focus no more."
        default: "The focus of \(camera) was moved."
        }
    }

    var parts: [any Component] { [BannerView(.success, "Done", sentence)] }

    func plain() -> [String] { ["camera \(TerminalText.escaped(camera)) focus: \(what)"] }
}
