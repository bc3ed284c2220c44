import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// What a person looks at, and what the keys do to it. A value: keys in, actions out.
struct WatchState {
    /// What a key may want done.
    enum Action: Equatable {
        /// Release the shutter of one camera, or of every ready one.
        case shoot(String?)
        /// Pause or resume one destination, or all.
        case pause(String?, Bool)
        case retryFailed
        case dropFailed
        case setMode(SessionReply.UploadMode)
        case redraw
        case quit
    }

    /// What can have the focus.
    enum Focus: Hashable {
        case camera(String)
        case destination(String)
        case photo(Int64)
    }

    /// What is shown.
    enum Page: Equatable {
        case overview
        /// Event, camera, downloaded, synced, and every photo.
        case sheet
        case details(Focus)
        case help
        /// The modes, and the one with the focus.
        case modes(Int)
        case confirm(ConfirmView, Action)
    }

    /// Photos of one page up or down.
    static let pageRows = 10
    /// Seconds for which the result of an action is shown.
    static let noticeSeconds = 6.0

    var model = WatchModel()
    var page = Page.overview
    var focus: Focus?
    var filter = ShotFilter.all
    private(set) var notice: (banner: BannerView, until: Date)?

    /// Photos that pass the filter.
    var shots: [WatchShots.Shot] {
        model.shots.all.filter(filter.takes)
    }

    /// Says what came of an action.
    mutating func say(_ banner: BannerView, now: Date) {
        notice = (banner, now.addingTimeInterval(Self.noticeSeconds))
    }

    func banner(now: Date) -> BannerView? { notice.flatMap { now < $0.until ? $0.banner : nil } }

    /// Whether something goes on that is worth a moving sign.
    var isBusy: Bool {
        guard model.offline == nil, let status = model.status else { return model.offline == nil }
        return !model.isFilled || status.uploads.uploading + status.uploads.verifying > 0
            || model.cameras.contains { StateWords.camera($0).tone == .busy }
    }

    // MARK: Keys

    mutating func press(_ key: Key, now: Date) -> [Action] {
        if key == .redraw { return [.redraw] }
        switch page {
        case .confirm(_, let action):
            page = .overview
            return key == .character("y") || key == .character("Y") ? [action] : []
        case .modes(let cursor): return choose(key, cursor)
        case .help, .details:
            page = .overview
            return []
        case .overview, .sheet: return command(key, now: now)
        }
    }

    private mutating func command(_ key: Key, now: Date) -> [Action] {
        switch key {
        case .character("q"): return [.quit]
        case .escape where page == .sheet, .character("d") where page == .sheet: page = .overview
        case .escape: focus = nil
        case .character("?"), .character("h"): page = .help
        case .character("d"), .character("i"): page = .sheet
        case .character("f"): filter = filter.next
        case .enter: page = focus.map { .details($0) } ?? .sheet
        case .up, .character("k"): move(-1, now)
        case .down, .character("j"): move(1, now)
        case .pageUp: move(-Self.pageRows, now)
        case .pageDown, .character(" "): move(Self.pageRows, now)
        case .home, .character("g"): focus = items(now).first
        case .end, .character("G"): focus = items(now).last
        case .tab: jump(1, now)
        case .backTab: jump(-1, now)
        default: return steer(key, now: now)
        }
        return []
    }

    /// Keys that change something.
    private mutating func steer(_ key: Key, now: Date) -> [Action] {
        let commands: [Key: WatchCommand] = [
            .character("s"): .shoot, .character("p"): .pause, .character("r"): .retry, .character("m"): .mode,
            .character("x"): .forget,
        ]
        if let obstacle = commands[key]?.obstacle(self) {
            say(BannerView(.info, "Note", obstacle), now: now)
            return []
        }
        switch key {
        case .character("s"):
            if case .camera(let id) = focus { return [.shoot(id)] }
            return [.shoot(nil)]
        case .character("p"):
            if case .destination(let name) = focus {
                let isPaused = model.status?.destinations.first { $0.name == name }?.state == .paused
                return [.pause(name, !isPaused)]
            }
            return [.pause(nil, !model.arePaused)]
        case .character("r"): return [.retryFailed]
        case .character("m"):
            let mode = model.status?.session?.uploadMode ?? .realtime
            page = .modes(SessionReply.UploadMode.all.firstIndex(of: mode) ?? 0)
        case .character("x"):
            let failed = model.status?.uploads.failed ?? 0
            page = .confirm(
                ConfirmView(
                    question: "Forget \(UploadWords.uploads(failed)) that failed?",
                    consequence: "They are not sent any more. The files here stay."), .dropFailed)
        default: break
        }
        return []
    }

    private mutating func choose(_ key: Key, _ cursor: Int) -> [Action] {
        let modes = SessionReply.UploadMode.all
        switch key {
        case .up, .character("k"): page = .modes(max(0, cursor - 1))
        case .down, .character("j"): page = .modes(min(modes.count - 1, cursor + 1))
        case .character(let digit) where digit.wholeNumberValue.map { (1...modes.count).contains($0) } == true:
            return pick(modes[(digit.wholeNumberValue ?? 1) - 1])
        case .enter: return pick(modes[cursor])
        case .escape, .character("q"): page = .overview
        default: break
        }
        return []
    }

    /// What goes out cannot be taken back: letting held photos go is asked.
    private mutating func pick(_ mode: SessionReply.UploadMode) -> [Action] {
        page = .overview
        let held = model.status?.uploads.held ?? 0
        guard mode != .offline, mode != .manual, held > 0 else { return [.setMode(mode)] }
        page = .confirm(
            ConfirmView(
                question: "Switch to \(UploadWords.mode(mode))?",
                consequence: "\(UploadWords.uploads(held)) held now may go out. \(UploadWords.meaning(mode))"),
            .setMode(mode))
        return []
    }

    // MARK: Focus

    /// Everything that can have the focus, from top to bottom.
    private func items(_ now: Date) -> [Focus] {
        let photos = shots.map { Focus.photo($0.id) }
        if page == .sheet { return photos }
        return model.cameras.map { .camera($0.id) }
            + (model.status?.destinations ?? []).map { .destination($0.name) } + photos
    }

    private mutating func move(_ count: Int, _ now: Date) {
        let all = items(now)
        guard !all.isEmpty else { return }
        guard let index = focus.flatMap(all.firstIndex(of:)) else {
            focus = count > 0 ? all.first : all.last
            return
        }
        focus = all[min(max(0, index + count), all.count - 1)]
    }

    /// To the first of the next kind.
    private mutating func jump(_ direction: Int, _ now: Date) {
        let all = items(now)
        let heads = all.indices.filter { $0 == 0 || Self.kind(all[$0]) != Self.kind(all[$0 - 1]) }
        guard !heads.isEmpty else { return }
        let at = focus.flatMap(all.firstIndex(of:)).flatMap { index in heads.lastIndex { $0 <= index } }
        let next =
            at.map { ($0 + direction + heads.count) % heads.count } ?? (direction > 0 ? 0 : heads.count - 1)
        focus = all[heads[next]]
    }

    private static func kind(_ focus: Focus) -> Int {
        switch focus {
        case .camera: 0
        case .destination: 1
        case .photo: 2
        }
    }
}
