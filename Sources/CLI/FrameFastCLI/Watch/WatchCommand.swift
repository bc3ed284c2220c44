import TerminalUI

/// A command of the live screen. This list is the source of the help, the key hints and the manual.
enum WatchCommand: CaseIterable {
    case move, nextPart, details, session, shoot, adjust, liveView, pause, retry, forget, mode, search,
        filter,
        fold, redraw, help, quit

    /// The keys of the command, in words.
    var keys: String {
        switch self {
        case .move: "arrows, j, k"
        case .nextPart: "Tab"
        case .details: "Enter"
        case .session: "d"
        case .shoot: "s"
        case .adjust: "e"
        case .liveView: "v"
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

    /// The meaning of the command, for the help.
    var meaning: String {
        switch self {
        case .move: "move the focus; Page Up, Page Down, g and G move further"
        case .nextPart: "go to the next part"
        case .details: "show details of the focused item"
        case .session: "show the session with every photo"
        case .shoot: "take a photo with the focused camera, or all"
        case .adjust: "change a setting of the focused or only camera"
        case .liveView: "show live view of the focused or only camera"
        case .pause: "pause or resume uploads to the focused destination, or all"
        case .retry: "retry failed uploads of the focused item, or all"
        case .forget: "drop failed uploads of the focused item, or all"
        case .mode: "switch the upload mode"
        case .search: "search photos by name, camera or state; Esc ends the search"
        case .filter: "list all photos, undelivered photos, or failed photos"
        case .fold: "close or open the focused part"
        case .redraw: "redraw; list the photos again after an error"
        case .help: "show what the keys do"
        case .quit: "quit; framefastd keeps running"
        }
    }

    /// The meaning in a few words, for small windows.
    var short: String {
        switch self {
        case .move: "move"
        case .nextPart: "next part"
        case .details: "details"
        case .session: "the session"
        case .shoot: "shoot"
        case .adjust: "change a setting"
        case .liveView: "live view"
        case .pause: "pause, resume"
        case .retry: "retry failed"
        case .forget: "drop failed"
        case .mode: "switch mode"
        case .search: "search photos"
        case .filter: "filter photos"
        case .fold: "close, open"
        case .redraw: "redraw"
        case .help: "help"
        case .quit: "quit"
        }
    }

    /// Returns the command of a key if the command needs the daemon. Returns `nil` for other keys.
    static func controlCommand(for key: Key) -> WatchCommand? {
        switch key {
        case .character("s"): .shoot
        case .character("e"): .adjust
        case .character("v"): .liveView
        case .character("p"): .pause
        case .character("r"): .retry
        case .character("x"): .forget
        case .character("m"): .mode
        default: nil
        }
    }
}
