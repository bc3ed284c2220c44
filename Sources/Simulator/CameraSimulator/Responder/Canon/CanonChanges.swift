extension Camera {
    /// Properties that follow the dials or each other, in the order in which changes of them are told.
    private static let canonFollowing: [UInt16] =
        [CanonProperty.exposureMode, CanonProperty.exposureModeDial] + CanonDials.properties + [
            CanonProperty.imageFormat
        ]
        + Array(CanonBody().settings.keys).sorted()
        + [CanonProperty.captureDestination, CanonProperty.availableShots, CanonProperty.temperatureStatus]

    /// Changes the body and tells the client of it as an EOS does: each property that has another value now, then each list that
    /// is another one, then what the display shows of it.
    mutating func canonChange(at now: WallTime, _ change: (inout Camera) -> Void) {
        let before = Self.canonFollowing.map { canonSetting($0, at: now) }
        change(&self)
        let after = Self.canonFollowing.map { canonSetting($0, at: now) }
        let pairs = zip(Self.canonFollowing, zip(before, after))
        let changed = pairs.filter { $0.1.0?.value != $0.1.1?.value }.map(\.0)
        for code in changed { emit(.propertyChanged(code)) }
        for (code, (old, new)) in pairs where old?.choices != new?.choices {
            emit(CanonRecord.availableListChanged.event(UInt32(code)))
        }
        let shown = changed.compactMap { canonDisplayField($0) }
        if !shown.isEmpty { emit(CanonOLC.event(shown)) }
    }

    /// Tells what the display shows of the exposure.
    mutating func emitCanonDisplay() {
        let exposure = [CanonProperty.shutterSpeed, CanonProperty.aperture, CanonProperty.isoSpeed]
        emit(CanonOLC.event(exposure.compactMap { canonDisplayField($0) }))
    }

    /// What the display shows of a property.
    private func canonDisplayField(_ code: UInt16) -> CanonOLC.Field? {
        guard let value = canon.dials[code] else { return nil }
        let byte = UInt8(truncatingIfNeeded: value)
        return switch code {
        case CanonProperty.shutterSpeed: .shutterSpeed(byte)
        case CanonProperty.aperture: .aperture(byte)
        case CanonProperty.isoSpeed: .iso(byte)
        default: nil
        }
    }

    /// Sets a property (0x9110): its size, its code and the value in a data set.
    mutating func canonSet(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        var reader = ByteReader(request.data)
        guard reader.u32() == UInt32(request.data.count), let word = reader.u32() else {
            return PTPReply(.invalidDataset)
        }
        let code = UInt16(truncatingIfNeeded: word)
        guard let setting = canonSetting(code, at: now) else { return PTPReply(.devicePropNotSupported) }
        guard let value = setting.value.read(from: &reader) else { return PTPReply(.invalidDataset) }
        guard !canon.isBusy(at: now), !canon.shutter.isOpen, !isCanonBusy(with: code) else {
            return PTPReply(.deviceBusy)
        }
        if let answer = canon.answers[code] { return PTPReply(answer) }
        guard setting.isWritable else { return PTPReply(.accessDenied) }
        guard setting.allows(value), isCanonMode(value, of: code) else {
            return PTPReply(.invalidDevicePropValue)
        }
        let wasRecording = canon.number(CanonProperty.movieRecording) != 0
        canonChange(at: now) { $0.canonApply(value, to: code, at: now) }
        if wasRecording, canon.number(CanonProperty.movieRecording) == 0 {
            // What it recorded is on the card, whatever is set for photos.
            do { try shoot(at: now, toMemory: false, isMovie: true) } catch { return PTPReply(.storeFull) }
        }
        return PTPReply(.ok)
    }

    /// The photographer turns a dial, or sets something in the menu.
    mutating func turnCanon(_ dial: BodyControl.Dial, at now: WallTime) throws(SimulatorError) {
        guard !canon.isLocked else { throw .bodyLocked }
        let (code, number) = try dial.read(CanonWords.setting)
        let value = CanonValue.number(number)
        guard let setting = canonSetting(code, at: now), setting.isWritable, setting.allows(value),
            isCanonMode(value, of: code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        canonChange(at: now) { $0.canonApply(value, to: code, at: now) }
    }

    /// Settings that a body is too busy for in what it does: a tethered one never lets go of its power switch (libgphoto2 issue
    /// 242), and photos are not recorded as movies.
    private func isCanonBusy(with code: UInt16) -> Bool {
        switch code {
        case CanonProperty.autoPowerOff: true
        case CanonProperty.movieRecording: !(isCanonMovieMode && isCanonViewfinderOn)
        default: false
        }
    }

    private mutating func canonApply(_ value: CanonValue, to code: UInt16, at now: WallTime) {
        switch (code, value) {
        case (CanonProperty.captureDestination, .number(let place)):
            memoryIsTarget = place == CanonDestination.host
        case (CanonProperty.cameraTime, .number(let seconds)):
            setCanonClock(aheadBy: Int64(seconds) - now.cameraSeconds)
        case (CanonProperty.utcTime, .number(let seconds)):
            setCanonClock(aheadBy: Int64(seconds) - now.hostMs / 1000)
        case (CanonProperty.imageFormat, .imageFormat(let format)): canon.dials.imageFormat = format
        case (CanonProperty.exposureMode, .number(let mode)),
            (CanonProperty.exposureModeDial, .number(let mode)):
            canon.dials.mode = CanonDials.Mode(rawValue: mode) ?? canon.dials.mode
        case (_, .number(let number)) where canon.dials[code] != nil: canon.dials[code] = number
        default: canon.settings[code] = value
        }
    }

    /// Modes have no list, but a body has only some of them.
    private func isCanonMode(_ value: CanonValue, of code: UInt16) -> Bool {
        guard code == CanonProperty.exposureMode || code == CanonProperty.exposureModeDial,
            case .number(let mode) = value
        else { return true }
        return CanonDials.Mode(rawValue: mode) != nil
    }

    private mutating func setCanonClock(aheadBy seconds: Int64) {
        clockOffsetSeconds = Int(seconds)
        for code in [CanonProperty.cameraTime, CanonProperty.utcTime] { emit(.propertyChanged(code)) }
    }
}
