import FrameFastAPI
import TextForms

/// The address of a camera's live view on the web page. Only devices with the role `owner` can show it.
struct LivePage: Hashable {
    /// The URL. The page starts the live view when it opens.
    let url: String

    /// The program that opens a URL in the browser of the desktop.
    static let opener = "xdg-open"

    /// The result of opening the address in a browser.
    enum BrowserStart {
        /// The browser of the desktop opens the address.
        case opening
        /// This computer has no display.
        case noDisplay
        /// The desktop has no program that opens addresses.
        case noOpener
    }

    /// A reason why no device can show live view on the page.
    enum Refusal: Error, CaseIterable {
        /// The configuration turns the page off.
        case pageOff
        /// No server listens.
        case notServed
        /// The page may not control cameras.
        case controlOff
        /// No device with the role `owner` is paired.
        case noOwner

        /// The message and the next step.
        var explanation: Explanation {
            let (message, step) =
                switch self {
                case .pageOff:
                    (
                        "the web page is off",
                        "Set listen = \"127.0.0.1:9480\" or \"lan\" and control = true in [web] of the configuration, then restart the service."
                    )
                case .notServed: ("the web page is not served", "See 'framefast doctor'.")
                case .controlOff:
                    (
                        "control from the web page is off",
                        "Set control = true in [web] of the configuration, then restart the service."
                    )
                case .noOwner:
                    (
                        "no owner's device is paired with the web page",
                        "Pair a browser with 'framefast web pair --role owner', then try again."
                    )
                }
            return Explanation(
                status: .failed, code: .conflict, message: "cannot open live view: \(message)", nextStep: step
            )
        }
    }
}

extension LivePage {
    /// Creates the address.
    ///
    /// - Parameters:
    ///   - web: The state of the page, with its paired devices.
    ///   - camera: The camera's id.
    init(_ web: WebDevicesReply, camera: CameraID) throws(Refusal) {
        guard web.isOn else { throw .pageOff }
        guard let site = web.url else { throw .notServed }
        guard web.control else { throw .controlOff }
        guard web.devices.contains(where: { $0.role == .owner }) else { throw .noOwner }
        url = "\(site)/#/status?live=\(PercentCoding.encode(camera.rawValue))"
    }

    /// Returns whether this computer has a display on which a browser can open.
    ///
    /// - Parameter environment: Returns the value of a variable, or `nil` if it is not set.
    static func hasDisplay(_ environment: (String) -> String?) -> Bool {
        ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment($0)?.isEmpty == false }
    }

    /// Opens the address in a browser, if this computer has a display.
    ///
    /// - Parameters:
    ///   - environment: Returns the value of a variable, or `nil` if it is not set.
    ///   - start: Starts a program with its arguments, and returns whether it was started.
    func open(
        _ environment: (String) -> String?, start: (_ program: String, _ arguments: [String]) -> Bool
    ) -> BrowserStart {
        guard Self.hasDisplay(environment) else { return .noDisplay }
        return start(Self.opener, [url]) ? .opening : .noOpener
    }
}
