import FrameFastAPI
import Localization
import TerminalUI

/// Choosing a setting of one camera, and then its value. A value: keys in, and what came of them out.
struct SettingPicker: Equatable {
    /// Rows of one page up or down.
    private static let pageRows = 10

    /// What a key came to.
    enum Outcome: Equatable {
        /// It goes on.
        case open(SettingPicker)
        /// The person went away.
        case closed
        /// A value was chosen.
        case chosen(key: String, value: String)
    }

    let camera: CameraID
    let name: String
    /// Those that have a choice; `nil` while the camera is asked.
    private(set) var settings: [SettingReply]?
    /// The setting with the focus.
    private(set) var cursor = 0
    /// The value with the focus; `nil` while a setting is chosen.
    private(set) var value: Int?

    init(camera: CameraID, name: String) {
        self.camera = camera
        self.name = name
    }

    /// The camera has answered.
    mutating func take(_ reply: SettingsReply) { settings = reply.settings.filter { !$0.choices.isEmpty } }

    /// The setting whose value is being chosen.
    var setting: SettingReply? { value == nil ? nil : settings?[cursor] }

    /// What stands above the list.
    var title: String {
        setting.map { localized("\($0.key) of \(name)", "a setting of a camera") }
            ?? localized("Settings of \(name)")
    }

    /// What can be chosen; `nil` while the camera is asked.
    var rows: [ChoiceListView.Row]? {
        guard let settings else { return nil }
        if let setting {
            return zip(setting.choices, setting.cameraChoices).map { choice, word in
                .init(
                    title: choice, caption: word == choice ? nil : word,
                    mark: choice == setting.value ? BadgeView(.info, localized("Now")) : nil)
            }
        }
        return settings.map { setting in
            .init(
                title: setting.key, caption: setting.value ?? setting.cameraValue,
                mark: setting.readOnly ? BadgeView(.neutral, SettingTexts.writable(.no).word) : nil)
        }
    }

    /// The row with the focus.
    var focus: Int { value ?? cursor }

    func press(_ key: Key) -> Outcome {
        var picker = self
        switch key {
        case .up, .character("k"): picker.move(-1)
        case .down, .character("j"): picker.move(1)
        case .pageUp: picker.move(-Self.pageRows)
        case .pageDown, .character(" "): picker.move(Self.pageRows)
        case .home, .character("g"): picker.move(-.max / 2)
        case .end, .character("G"): picker.move(.max / 2)
        case .enter: return picker.enter()
        case .escape, .character("q"):
            guard value != nil else { return .closed }
            picker.value = nil
        default: break
        }
        return .open(picker)
    }

    private mutating func move(_ count: Int) {
        let last = (rows?.count ?? 0) - 1
        guard last >= 0 else { return }
        let next = min(max(0, focus + count), last)
        if value == nil { cursor = next } else { value = next }
    }

    private func enter() -> Outcome {
        guard let settings, settings.indices.contains(cursor), !settings[cursor].readOnly else {
            return .open(self)
        }
        let setting = settings[cursor]
        if let value { return .chosen(key: setting.key, value: setting.choices[value]) }
        var picker = self
        picker.value = setting.value.flatMap(setting.choices.firstIndex(of:)) ?? 0
        return .open(picker)
    }
}
