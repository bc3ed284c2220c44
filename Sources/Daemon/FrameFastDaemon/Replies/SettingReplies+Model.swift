import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel

extension CameraNameReply {
    init(_ status: CameraStatus) { self.init(id: status.id, name: status.name) }
}

extension SettingReply {
    init(_ setting: CameraSetting) {
        // A setting with a key accepts only FrameFast's values. Other values of the driver are omitted. For
        // example, an Olympus reports unknown values, and the driver lists "0/0" next to a Sony's bulb
        // (config.c, _get_Sony_ShutterSpeed).
        let choices = setting.choices.filter { setting.key == nil || $0.value != nil }
        self.init(
            key: SettingName.text(key: setting.key, name: setting.name), name: setting.name,
            value: setting.spelling, cameraValue: setting.word,
            choices: choices.map { $0.value?.text ?? $0.word },
            cameraChoices: choices.map(\.word),
            range: setting.range.map { Range(least: $0.least, most: $0.most, step: $0.step) },
            writable: setting.writable)
    }
}

extension SettingResultReply {
    init(_ result: CameraSettingResult) {
        self.init(
            key: SettingName.text(key: result.change.key, name: result.change.name),
            result: result.outcome, asked: result.change.value,
            value: result.now?.spelling, cameraValue: result.now?.word, reason: result.reason)
    }
}

extension ExposureReply {
    init(_ line: ExposureLine, source: SettingSource?) {
        self.init(
            text: line.text, mode: line.value(.mode), shutter: line.value(.shutter),
            aperture: line.value(.aperture), iso: line.value(.iso),
            exposureCompensation: line.value(.exposureCompensation),
            whiteBalance: line.value(.whiteBalance), quality: line.value(.quality),
            changedBy: source)
    }
}

extension CameraSetting {
    /// The value in FrameFast's format, or the driver's value for a setting without a key.
    fileprivate var spelling: String? { key == nil ? word : value?.text }
}
