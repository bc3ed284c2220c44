extension Camera {
    /// The properties that may change with a dial or another property, in the order in which changes are
    /// reported.
    private static let canonDependentProperties: [UInt16] =
        [CanonProperty.exposureMode, CanonProperty.exposureModeDial] + CanonDials.properties + [
            CanonProperty.imageFormat
        ]
        + Array(CanonBody().settings.keys).sorted()
        + [CanonProperty.captureDestination, CanonProperty.availableShots, CanonProperty.temperatureStatus]

    /// Applies a change and reports its effects in an EOS's order: first the changed values, then the changed
    /// lists of allowed values, then the display.
    mutating func changeCanon(at now: WallTime, _ change: (inout Camera) -> Void) {
        let before = Self.canonDependentProperties.map { canonSetting($0, at: now) }
        change(&self)
        let after = Self.canonDependentProperties.map { canonSetting($0, at: now) }
        let pairs = zip(Self.canonDependentProperties, zip(before, after))
        let changed = pairs.filter { $0.1.0?.value != $0.1.1?.value }.map(\.0)
        for code in changed { emit(.propertyChanged(code)) }
        for (code, (old, new)) in pairs where old?.choices != new?.choices {
            emit(CanonRecord.availableListChanged.event(UInt32(code)))
        }
        let shown = changed.compactMap { canonDisplayField($0) }
        if !shown.isEmpty { emit(CanonOLC.event(shown)) }
    }

    /// Reports the exposure that the display shows.
    mutating func emitCanonDisplay() {
        let exposure = [CanonProperty.shutterSpeed, CanonProperty.aperture, CanonProperty.isoSpeed]
        emit(CanonOLC.event(exposure.compactMap { canonDisplayField($0) }))
    }

    /// Returns the display field for a property, or `nil` if the display doesn't show the property.
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

    /// Sets a property (0x9110). The data set contains its own size, the property's code and the value.
    mutating func setCanonProperty(_ request: PTPRequest, at now: WallTime) -> PTPReply {
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
        if let answer = canon.forcedResponses[code] { return PTPReply(answer) }
        guard setting.isWritable else { return PTPReply(.accessDenied) }
        guard setting.allows(value), isCanonMode(value, of: code) else {
            return PTPReply(.invalidDevicePropValue)
        }
        let wasRecording = canon.number(CanonProperty.movieRecording) != 0
        changeCanon(at: now) { $0.storeCanonValue(value, to: code, at: now) }
        if wasRecording, canon.number(CanonProperty.movieRecording) == 0 {
            // The recorded movie goes to the card, independent of the destination of photos.
            do { try shoot(at: now, toMemory: false, isMovie: true) } catch { return PTPReply(.storeFull) }
        }
        return PTPReply(.ok)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turnCanon(_ dial: BodyControl.Dial, at now: WallTime) throws(SimulatorError) {
        guard !canon.isLocked else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: CanonDialText.setting)
        let value = CanonValue.number(number)
        guard let setting = canonSetting(code, at: now), setting.isWritable, setting.allows(value),
            isCanonMode(value, of: code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        changeCanon(at: now) { $0.storeCanonValue(value, to: code, at: now) }
    }

    /// Returns whether the body refuses to change a setting in its current state.
    ///
    /// A tethered body keeps its power setting (libgphoto2 issue 242). Movie recording requires movie mode
    /// and live view.
    private func isCanonBusy(with code: UInt16) -> Bool {
        switch code {
        case CanonProperty.autoPowerOff: true
        case CanonProperty.movieRecording: !(isCanonMovieMode && isCanonViewfinderOn)
        default: false
        }
    }

    private mutating func storeCanonValue(_ value: CanonValue, to code: UInt16, at now: WallTime) {
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

    /// Returns whether a value is an existing exposure mode. Modes have no list, but a body supports only
    /// some of them.
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
