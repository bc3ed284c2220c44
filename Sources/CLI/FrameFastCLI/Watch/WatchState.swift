import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The state of the live screen. A key changes the state, and may require actions of the caller.
struct WatchState {
    /// A side effect of a key, which the caller performs.
    enum Action: Equatable {
        /// Release the shutter of one camera, or of every ready camera.
        case shoot(CameraID?)
        /// Pause or resume one destination, or all.
        case pause(DestinationName?, Bool)
        case retry(FailedUploads)
        case drop(FailedUploads)
        case setMode(UploadMode)
        /// Request the settings of a camera.
        case requestSettings(CameraID)
        case set(CameraID, key: String, value: String)
        /// Start live view.
        case startLiveView(CameraID)
        case stopLiveView
        /// Request the next older page of photos, with this cursor.
        case requestOlder(String)
        case redraw
        /// Request the newest photos again.
        case requestNewest
        case quit
    }

    /// An item that can have the focus.
    enum Focus: Hashable {
        case camera(CameraID)
        case destination(DestinationName)
        case photo(ShotID)
        /// The heading of a closed part.
        case part(Part)
    }

    /// A part of the overview that can be closed.
    enum Part: CaseIterable {
        case cameras, destinations, photos
    }

    /// A page of the live screen.
    enum Page: Equatable {
        case overview
        /// The session page: a summary of the session, cameras, downloads and uploads, then all photos.
        case session
        case details(Focus)
        case help
        /// The list of upload modes, with the index of the focused mode.
        case modes(Int)
        /// The list of a camera's settings, or of the choices of one setting.
        case settings(SettingPicker)
        case live(LivePage)
        case confirm(ConfirmView, Action)
    }

    /// The number of rows that Page Up and Page Down move.
    static let pageRows = 10
    /// The time for which a notice is shown, in seconds.
    static let noticeSeconds = 6.0
    var model = WatchModel()
    var page = Page.overview
    var focus: Focus?
    var filter = ShotFilter.all
    /// The search for photos, or `nil` without a search.
    private(set) var search: ShotSearch?
    /// The closed parts. Only their headings are shown.
    private(set) var closed: Set<Part> = []
    private(set) var notice: (banner: BannerView, until: Date)?

    /// Whether the person is typing a search. If so, keys enter text.
    var isTyping: Bool { search?.isTyping == true }

    /// The shots that match the filter and the search.
    var shots: [WatchShots.Shot] {
        let filtered = model.shots.all.filter(filter.matches)
        guard let search else { return filtered }
        let labels = model.names
        return filtered.filter { search.matches($0, labels) }
    }

    /// Shows a notice, such as the result of an action.
    mutating func showNotice(_ banner: BannerView, now: Date) {
        notice = (banner, now.addingTimeInterval(Self.noticeSeconds))
    }

    func banner(now: Date) -> BannerView? { notice.flatMap { now < $0.until ? $0.banner : nil } }

    /// Whether an activity is in progress, so the spinner moves.
    var isBusy: Bool {
        guard model.offline == nil, let status = model.status else { return model.offline == nil }
        return !model.isListed && model.listFailure == nil
            || status.uploads.uploading + status.uploads.verifying > 0 || isWaitingForFrame
            || model.cameras.contains { StateWords.camera($0).tone == .busy }
    }

    // MARK: Keys

    mutating func press(_ key: Key, now: Date) -> [Action] {
        if key == .redraw { return model.listFailure == nil ? [.redraw] : [.redraw, .requestNewest] }
        switch page {
        case .confirm(_, let action):
            page = .overview
            guard key == .character("y") || key == .character("Y"), !reportIfUnavailable(.mode, now) else {
                return []
            }
            return [action]
        case .modes(let cursor): return chooseMode(key, cursor, now)
        case .settings(let picker):
            switch picker.press(key) {
            case .open(let picker): page = .settings(picker)
            case .closed: page = .overview
            case .chosen(let key, let value):
                page = .overview
                return reportIfUnavailable(.adjust, now) ? [] : [.set(picker.camera, key: key, value: value)]
            }
            return []
        case .help, .details:
            page = .overview
            return []
        case .live(let live): return press(key, in: live, now: now)
        case .overview, .session:
            return isTyping ? typeSearch(key) : handleKey(key, now: now)
        }
    }

    private mutating func handleKey(_ key: Key, now: Date) -> [Action] {
        switch key {
        case .character("q"): return [.quit]
        case .escape where search != nil: search = nil
        case .escape where page == .session, .character("d") where page == .session: page = .overview
        case .escape: focus = nil
        case .character("?"), .character("h"): page = .help
        case .character("d"), .character("i"): page = .session
        case .character("f"): filter = filter.next
        case .character("/"): startSearch(now)
        case .character("c"): togglePart(now)
        case .enter:
            if case .part(let part) = focus {
                open(part)
            } else {
                page = focus.map { .details($0) } ?? .session
            }
        case .up, .character("k"): return move(-1)
        case .down, .character("j"): return move(1)
        case .pageUp: return move(-Self.pageRows)
        case .pageDown, .character(" "): return move(Self.pageRows)
        case .home, .character("g"): focus = items.first
        case .end, .character("G"): return move(.max / 2)
        case .tab: jumpToPart(1)
        case .backTab: jumpToPart(-1)
        default: return handleControlKey(key, now: now)
        }
        return []
    }

    /// Returns whether a command is not available now. If so, also shows a notice with the reason.
    mutating func reportIfUnavailable(_ command: WatchCommand, _ now: Date) -> Bool {
        guard let reason = unavailableReason(for: command) else { return false }
        showNotice(BannerView(.info, "Note", reason), now: now)
        return true
    }

    /// Handles the keys of commands that need the daemon.
    private mutating func handleControlKey(_ key: Key, now: Date) -> [Action] {
        if let command = WatchCommand.controlCommand(for: key), reportIfUnavailable(command, now) {
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
            return [.pause(nil, !model.areAllPaused)]
        case .character("r"): return failedUploads.map { [.retry($0)] } ?? []
        case .character("e"):
            guard let camera = adjustableCamera else { return [] }
            page = .settings(SettingPicker(camera: camera.id, name: camera.name))
            return [.requestSettings(camera.id)]
        case .character("v"):
            guard let camera = adjustableCamera else { return [] }
            page = .live(LivePage(camera: camera.id))
            return [.startLiveView(camera.id)]
        case .character("m"):
            let mode = model.status?.session?.uploadMode ?? .realtime
            page = .modes(UploadMode.allCases.firstIndex(of: mode) ?? 0)
        case .character("x"):
            guard let uploads = failedUploads else { return [] }
            let what = UploadWords.uploads(uploads.failed) + uploads.words
            page = .confirm(
                ConfirmView(
                    .danger, question: "Drop \(what) that failed?",
                    consequence: "The photos will not be uploaded. The files stay on this computer."),
                .drop(uploads))
        default: break
        }
        return []
    }

    /// The camera to which the commands for settings and live view apply: the focused camera, or the only
    /// camera. `nil` if neither exists.
    var adjustableCamera: CameraReply? {
        guard case .camera(let id) = focus else {
            return model.cameras.count == 1 ? model.cameras.first : nil
        }
        return model.cameras.first { $0.id == id }
    }

    /// Shows a camera's settings, if their list is still open.
    mutating func showSettings(_ settings: SettingsReply) {
        guard case .settings(var picker) = page, picker.camera == settings.camera.id else { return }
        picker.apply(settings)
        page = .settings(picker)
    }

    /// Closes the list of settings after the request for the settings failed.
    mutating func closeSettings() {
        if case .settings(let picker) = page, picker.settings == nil { page = .overview }
    }

    private mutating func chooseMode(_ key: Key, _ cursor: Int, _ now: Date) -> [Action] {
        let modes = UploadMode.allCases
        switch key {
        case .up, .character("k"): page = .modes(max(0, cursor - 1))
        case .down, .character("j"): page = .modes(min(modes.count - 1, cursor + 1))
        case .character(let digit) where digit.wholeNumberValue.map { (1...modes.count).contains($0) } == true:
            return reportIfUnavailable(.mode, now) ? [] : selectMode(modes[(digit.wholeNumberValue ?? 1) - 1])
        case .enter: return reportIfUnavailable(.mode, now) ? [] : selectMode(modes[cursor])
        case .escape, .character("q"): page = .overview
        default: break
        }
        return []
    }

    /// Switches the upload mode. Asks for confirmation if the mode may send held photos, because an upload
    /// cannot be undone.
    private mutating func selectMode(_ mode: UploadMode) -> [Action] {
        page = .overview
        let held = model.status?.uploads.held ?? 0
        guard mode != .offline, mode != .manual, held > 0 else { return [.setMode(mode)] }
        page = .confirm(
            ConfirmView(
                .warning, question: "Switch to \(mode.title)?",
                consequence:
                    "\(UploadWords.uploads(held)) on hold may be uploaded. \(UploadWords.meaning(mode))"),
            .setMode(mode))
        return []
    }

    // MARK: Search

    private mutating func startSearch(_ now: Date) {
        guard !reportIfUnavailable(.search, now) else { return }
        closed.remove(.photos)
        search = ShotSearch(text: search?.text ?? "")
    }

    /// Handles a key while the person types a search.
    private mutating func typeSearch(_ key: Key) -> [Action] {
        guard var search else { return [] }
        if key == .escape || search.text.isEmpty && [.backspace, .enter].contains(key) {
            self.search = nil
            return []
        }
        switch key {
        case .character(let letter) where search.text.count < ShotSearch.lengthMax: search.text.append(letter)
        case .backspace: search.text.removeLast()
        case .clear: search.text = ""
        case .enter: search.isTyping = false
        case .up: return move(-1)
        case .down: return move(1)
        case .pageUp: return move(-Self.pageRows)
        case .pageDown: return move(Self.pageRows)
        default: return []
        }
        self.search = search
        // A photo that is no longer listed cannot have the focus.
        if case .photo = focus, let focus, !items.contains(focus) { self.focus = nil }
        if key == .enter, focus == nil { focus = shots.first.map { .photo($0.id) } }
        return []
    }

    // MARK: Parts

    /// Closes or opens the focused part.
    private mutating func togglePart(_ now: Date) {
        guard !reportIfUnavailable(.fold, now), let focus else { return }
        if case .part(let part) = focus { return open(part) }
        let part = Self.part(of: focus)
        closed.insert(part)
        self.focus = .part(part)
    }

    private mutating func open(_ part: Part) {
        closed.remove(part)
        focus = rows(of: part).first
    }

    // MARK: Focus

    /// The items that can have the focus, from top to bottom.
    private var items: [Focus] {
        if page == .session { return rows(of: .photos) }
        return Part.allCases.flatMap { closed.contains($0) ? [.part($0)] : rows(of: $0) }
    }

    private func rows(of part: Part) -> [Focus] {
        switch part {
        case .cameras: model.cameras.map { .camera($0.id) }
        case .destinations: (model.status?.destinations ?? []).map { .destination($0.name) }
        case .photos: shots.map { .photo($0.id) }
        }
    }

    /// Moves the focus by a number of rows, or to the end.
    ///
    /// - Returns: A request for older photos, if the focus is near the end of the loaded photos.
    private mutating func move(_ count: Int) -> [Action] {
        let all = items
        if let index = focus.flatMap(all.firstIndex(of:)) {
            focus = all[min(max(0, index + count), all.count - 1)]
        } else {
            focus = count > 0 && count < .max / 2 ? all.first : all.last
        }
        return count > 0 ? requestOlder(all) : []
    }

    private mutating func requestOlder(_ all: [Focus]) -> [Action] {
        guard model.offline == nil, page == .session || !closed.contains(.photos) else { return [] }
        let index = focus.flatMap(all.firstIndex(of:))
        // If no loaded photo matches, an older photo may match.
        let isNearTheEnd =
            if case .photo = focus, let index { index >= all.count - Self.pageRows } else {
                shots.isEmpty && focus == all.last
            }
        guard isNearTheEnd, let cursor = model.shots.requestOlder() else { return [] }
        return [.requestOlder(cursor)]
    }

    /// Moves the focus to the first item of the next or previous part.
    private mutating func jumpToPart(_ direction: Int) {
        let all = items
        let heads = all.indices.filter { $0 == 0 || Self.part(of: all[$0]) != Self.part(of: all[$0 - 1]) }
        guard !heads.isEmpty else { return }
        let at = focus.flatMap(all.firstIndex(of:)).flatMap { index in heads.lastIndex { $0 <= index } }
        let next =
            at.map { ($0 + direction + heads.count) % heads.count } ?? (direction > 0 ? 0 : heads.count - 1)
        focus = all[heads[next]]
    }

    private static func part(of focus: Focus) -> Part {
        switch focus {
        case .camera: .cameras
        case .destination: .destinations
        case .photo: .photos
        case .part(let part): part
        }
    }
}
