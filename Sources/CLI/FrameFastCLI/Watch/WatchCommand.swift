import FrameFastAPI
import Localization
import TerminalUI

/// What keys do on the live screen: one list for help, hints, manual, and for what can be done now.
enum WatchCommand: CaseIterable {
    case move, nextPart, details, session, shoot, adjust, look, pause, retry, forget, mode, search, filter,
        fold,
        redraw,
        help, quit

    /// The keys, as a person reads them.
    var keys: String {
        switch self {
        case .move: localized("arrows, j, k")
        case .nextPart: "Tab"
        case .details: "Enter"
        case .session: "d"
        case .shoot: "s"
        case .adjust: "e"
        case .look: "v"
        case .pause: "p"
        case .retry: "r"
        case .forget: "x"
        case .mode: "m"
        case .search: "/"
        case .filter: "f"
        case .fold: "c"
        case .redraw: "Ctrl-L"
        case .help: "?"
        case .quit: "q, Ctrl-C"
        }
    }

    /// What they do.
    var meaning: String {
        switch self {
        case .move: localized("move; Page Up and Page Down, g and G go further")
        case .nextPart: localized("go to the next part")
        case .details: localized("show details of the focused item")
        case .session: localized("show the session with every photo")
        case .shoot: localized("release the shutter of the focused camera, or of all")
        case .adjust: localized("change a setting of the focused camera, or of the only one")
        case .look: localized("look through the focused camera, or through the only one")
        case .pause: localized("pause or resume uploads: to the focused destination, or all")
        case .retry: localized("retry failed uploads: of the focused item, or all")
        case .forget: localized("forget failed uploads: of the focused item, or all; asks")
        case .mode: localized("switch the upload mode")
        case .search: localized("search photos by name, camera or state; Esc ends the search")
        case .filter: localized("list all photos, those not delivered, or those that failed")
        case .fold: localized("close or open the focused part")
        case .redraw: localized("redraw; try again to list photos")
        case .help: localized("show what the keys do")
        case .quit: localized("quit; framefastd keeps running")
        }
    }

    /// The same in a few words, for small windows.
    var short: String {
        switch self {
        case .move: localized("move")
        case .nextPart: localized("next part")
        case .details: localized("details")
        case .session: localized("the session")
        case .shoot: localized("shoot")
        case .adjust: localized("change a setting")
        case .look: localized("live view")
        case .pause: localized("pause, resume")
        case .retry: localized("retry failed")
        case .forget: localized("forget failed")
        case .mode: localized("switch mode")
        case .search: localized("search photos")
        case .filter: localized("filter photos")
        case .fold: localized("close, open")
        case .redraw: localized("redraw")
        case .help: localized("help")
        case .quit: localized("quit")
        }
    }

    /// What a key wants of the daemon; `nil` for keys that only move and look.
    static func steering(_ key: Key) -> WatchCommand? {
        switch key {
        case .character("s"): .shoot
        case .character("e"): .adjust
        case .character("v"): .look
        case .character("p"): .pause
        case .character("r"): .retry
        case .character("x"): .forget
        case .character("m"): .mode
        default: nil
        }
    }

    /// Why it can do nothing now; `nil` when it can.
    func obstacle(_ state: WatchState) -> String? {
        let model = state.model
        switch self {
        case .shoot, .adjust, .look, .pause, .retry, .forget, .mode:
            guard model.offline == nil, let status = model.status else {
                return localized("framefastd is away.")
            }
            return obstacle(state, status)
        case .filter, .search: return model.shots.all.isEmpty ? localized("No photo is listed yet.") : nil
        case .fold:
            return state.focus == nil || state.page != .overview
                ? localized("Select something with Tab first.") : nil
        case .move, .nextPart, .details, .session, .redraw, .help, .quit: return nil
        }
    }

    private func obstacle(_ state: WatchState, _ status: StatusReply) -> String? {
        switch self {
        case .shoot:
            guard case .camera(let id) = state.focus else {
                return state.model.cameras.contains(where: \.isConnected)
                    ? nil : localized("No camera is ready.")
            }
            return state.model.cameras.contains { $0.id == id && $0.isConnected }
                ? nil : localized("This camera is not ready.")
        case .adjust, .look:
            guard let camera = state.adjustable else {
                return state.model.cameras.isEmpty
                    ? localized("No camera is ready.") : localized("Select a camera with Tab first.")
            }
            return camera.isConnected ? nil : localized("This camera is not ready.")
        case .pause: return status.destinations.isEmpty ? localized("No destination is configured.") : nil
        case .retry, .forget:
            guard let uploads = FailedUploads(state, status) else {
                return localized("Its uploads are not listed here: see `framefast queue`.")
            }
            let count = uploads.failed + (self == .retry ? uploads.retrying : 0)
            let hint = uploads.words.isEmpty ? "" : " " + localized("Esc, then \(keys), is for all uploads.")
            return count > 0 ? nil : localized("No upload\(uploads.words) failed.\(hint)")
        default: return nil
        }
    }

    /// The hint for a screen.
    func hint(_ state: WatchState, _ layout: Layout, isPrimary: Bool = false) -> KeyHintsView.Hint {
        let (key, word): (String, String) =
            switch self {
            case .move: (layout.arrows, localized("move"))
            case .session: ("d", localized("session"))
            case .adjust: ("e", localized("settings"))
            case .look: ("v", localized("live view"))
            case .pause: ("p", state.model.arePaused ? localized("resume") : localized("pause"))
            case .retry: ("r", localized("retry"))
            case .forget: ("x", localized("forget"))
            case .mode: ("m", localized("mode"))
            case .filter: ("f", localized("filter"))
            case .search: ("/", localized("find"))
            case .quit: ("q", localized("quit"))
            default: (keys, short)
            }
        return .init(
            key, word, isPrimary: isPrimary, isDestructive: self == .forget, isOn: obstacle(state) == nil)
    }
}
