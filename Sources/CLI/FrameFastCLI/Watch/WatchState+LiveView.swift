import FoundationEssentials
import FrameFastAPI
import TerminalUI

extension WatchState {
    /// The page with the live view of a camera.
    struct LivePage: Equatable {
        var camera: CameraID
        /// Whether a frame is on the screen.
        var hasFrame = false
    }

    /// Whether live view was started but shows no frame yet.
    var isWaitingForFrame: Bool {
        if case .live(let live) = page { !live.hasFrame } else { false }
    }

    /// Handles a key while live view is shown.
    mutating func press(_ key: Key, in live: LivePage, now: Date) -> [Action] {
        switch key {
        case .character("s"): return reportIfUnavailable(.shoot, now) ? [] : [.shoot(live.camera)]
        case .escape, .character("q"), .character("v"):
            page = .overview
            return [.stopLiveView]
        default: return []
        }
    }

    /// Records that a frame of live view is on the screen.
    mutating func markFrameShown() {
        if case .live(var live) = page {
            live.hasFrame = true
            page = .live(live)
        }
    }

    /// Returns to the overview after live view ended.
    mutating func closeLiveView() {
        if case .live = page { page = .overview }
    }
}
