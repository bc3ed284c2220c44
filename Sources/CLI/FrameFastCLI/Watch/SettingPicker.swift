import FrameFastAPI
import TerminalUI

/// A list for choosing a setting of a camera, and then its value. Each key press results in an ``Outcome``.
struct SettingPicker: Equatable {
    /// The number of rows that Page Up and Page Down move.
    private static let pageRows = 10

    /// The result of a key press.
    enum Outcome: Equatable {
        /// The list stays open, in this state.
        case open(SettingPicker)
        /// The person closed the list.
        case closed
        /// The person chose a value.
        case chosen(key: String, value: String)
    }

    let camera: CameraID
    let name: String
    /// The settings that offer choices, or `nil` until the camera responds.
    private(set) var settings: [SettingReply]?
    /// The index of the focused setting.
    private(set) var cursor = 0
    /// The index of the focused value, or `nil` while the person chooses a setting.
    private(set) var value: Int?

    init(camera: CameraID, name: String) {
        self.camera = camera
        self.name = name
    }

    /// Fills the list with the camera's settings.
    mutating func apply(_ reply: SettingsReply) { settings = reply.settings.filter { !$0.choices.isEmpty } }

    /// The setting whose value the person chooses, or `nil` while the person chooses a setting.
    var setting: SettingReply? { value == nil ? nil : settings?[cursor] }

    /// The title above the list.
    var title: String { setting.map { "\($0.key) of \(name)" } ?? "Settings of \(name)" }

    /// The rows of the list, or `nil` until the camera responds.
    var rows: [ChoiceListView.Row]? {
        guard let settings else { return nil }
        if let setting {
            return zip(setting.choices, setting.cameraChoices).map { choice, word in
                .init(
                    title: choice, caption: word == choice ? nil : word,
                    mark: choice == setting.value ? BadgeView(.info, "Now") : nil)
            }
        }
        return settings.map { setting in
            .init(
                title: setting.key, caption: setting.value ?? setting.cameraValue,
                mark: setting.readOnly ? BadgeView(.neutral, SettingTexts.writable(Word(.no)).word) : nil)
        }
    }

    /// The index of the focused row.
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
