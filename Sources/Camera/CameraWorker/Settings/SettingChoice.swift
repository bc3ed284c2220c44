import FrameFastModel

/// The value to send to the driver for a change, or the reason for sending nothing.
enum SettingChoice: Equatable {
    /// The camera already has the value, or the nearest value that it offers.
    case unchanged(isNearest: Bool)
    /// Send this driver value. `isNearest`: whether this is the nearest value, because the camera does not
    /// offer the requested value.
    case send(word: String, value: CameraSettingValue?, isNearest: Bool)
    /// The change is not possible.
    case rejected(CameraSettingResult.Outcome, reason: String)

    /// Returns the choice for a change.
    ///
    /// - Parameters:
    ///   - now: The current setting.
    ///   - mode: The camera's mode, as a FrameFast value.
    static func choose(
        _ change: CameraSettingChange, now: CameraSetting, profile: SettingProfile?, mode: String?,
        takesNearest: Bool
    ) -> SettingChoice {
        guard let key = change.key else {
            if change.value == now.word { return .unchanged(isNearest: false) }
            if now.writable == .no {
                return .rejected(.readOnly, reason: SettingReasons.readOnly(now, mode: mode))
            }
            return .send(word: change.value, value: nil, isNearest: false)
        }
        guard let wanted = CameraSettingValue(change.value, for: key) else {
            return .rejected(.unsupported, reason: SettingReasons.noValue(change.value, of: key))
        }
        let isSame = now.value.map { $0 == wanted } ?? (now.word.lowercased() == wanted.text.lowercased())
        if isSame { return .unchanged(isNearest: false) }
        if now.writable == .no {
            return .rejected(.readOnly, reason: SettingReasons.readOnly(now, mode: mode))
        }
        if let word = profile?.driverValue(for: wanted, of: key, among: now.choices.map(\.word)) {
            return .send(word: word, value: wanted, isNearest: false)
        }
        if now.choices.isEmpty { return free(wanted, key, now, takesNearest) }
        let near = wanted.nearest(of: key, among: now.choices.compactMap(\.value))
        guard takesNearest, let near, let word = now.choices.first(where: { $0.value == near })?.word else {
            return .rejected(.unsupported, reason: SettingReasons.notOffered(wanted, nearest: near))
        }
        return near == now.value
            ? .unchanged(isNearest: true) : .send(word: word, value: near, isNearest: true)
    }

    /// Returns the choice for a setting without a list of values.
    private static func free(
        _ wanted: CameraSettingValue, _ key: CameraSettingKey, _ now: CameraSetting, _ takesNearest: Bool
    ) -> SettingChoice {
        guard let range = now.range else {
            return key.form == .word
                ? .rejected(.unsupported, reason: SettingReasons.notOffered(wanted, nearest: nil))
                : .send(word: wanted.text, value: wanted, isNearest: false)
        }
        guard let number = Double(wanted.text) else {
            return .rejected(.unsupported, reason: SettingReasons.notOffered(wanted, nearest: nil))
        }
        let step = range.step > 0 ? range.step : 1
        let steps = ((min(max(number, range.least), range.most) - range.least) / step).rounded()
        let rounded = range.least + steps * step
        let near = CameraSettingValue(text(rounded), for: key)
        // Accepts a small difference, because the driver's numbers are rounded.
        guard abs(rounded - number) < step / 4 || takesNearest else {
            return .rejected(.unsupported, reason: SettingReasons.notOffered(wanted, nearest: near))
        }
        return .send(word: text(rounded), value: near, isNearest: near != wanted)
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String((number * 100).rounded() / 100)
    }
}

extension SettingProfile {
    /// Returns the next value to send in order to reach `word`. If ``changesInSteps`` is `true`, the worker
    /// sends the values between `now` and `word` one by one. The driver could do this in one call, but this
    /// call would block the worker until all values are sent or a photo arrives.
    func step(from now: String, to word: String, among choices: [String]) -> String {
        guard changesInSteps == true, let here = choices.firstIndex(of: now),
            let there = choices.firstIndex(of: word)
        else { return word }
        return here == there ? word : choices[here + (there > here ? 1 : -1)]
    }
}
