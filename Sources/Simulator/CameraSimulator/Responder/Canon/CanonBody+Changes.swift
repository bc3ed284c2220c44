extension CanonBody {
    /// The properties that may change with a dial or another property, in the order of their reports.
    private static let dependentProperties: [UInt16] =
        [CanonProperty.exposureMode, CanonProperty.exposureModeDial] + CanonDials.properties + [
            CanonProperty.imageFormat
        ]
        + Array(CanonBody().settings.keys).sorted()
        + [CanonProperty.captureDestination, CanonProperty.availableShots, CanonProperty.temperatureStatus]

    /// Applies a change and reports its effects in an EOS's order: first the changed values, then the changed
    /// lists of allowed values, then the display.
    mutating func change(
        on camera: inout CameraCore, at now: WallTime, _ change: (inout CanonBody, inout CameraCore) -> Void
    ) {
        let before = Self.dependentProperties.map { setting($0, of: camera, at: now) }
        change(&self, &camera)
        let after = Self.dependentProperties.map { setting($0, of: camera, at: now) }
        let pairs = zip(Self.dependentProperties, zip(before, after))
        let changed = pairs.filter { $0.1.0?.value != $0.1.1?.value }.map(\.0)
        for code in changed { camera.emit(.propertyChanged(code)) }
        for (code, (old, new)) in pairs where old?.choices != new?.choices {
            camera.emit(CanonRecord.availableListChanged.event(UInt32(code)))
        }
        let shown = changed.compactMap { displayField($0) }
        if !shown.isEmpty { camera.emit(CanonOLC.event(shown)) }
    }

    /// Reports the exposure that the display shows.
    func emitDisplay(on camera: inout CameraCore) {
        let exposure = [CanonProperty.shutterSpeed, CanonProperty.aperture, CanonProperty.isoSpeed]
        camera.emit(CanonOLC.event(exposure.compactMap { displayField($0) }))
    }

    /// Returns the display field for a property, or `nil` if the display does not show the property.
    private func displayField(_ code: UInt16) -> CanonOLC.Field? {
        guard let value = dials[code] else { return nil }
        let byte = UInt8(truncatingIfNeeded: value)
        return switch code {
        case CanonProperty.shutterSpeed: .shutterSpeed(byte)
        case CanonProperty.aperture: .aperture(byte)
        case CanonProperty.isoSpeed: .iso(byte)
        default: nil
        }
    }

    /// Sets a property (0x9110). The data set contains its own size, the property's code and the value.
    mutating func setProperty(_ request: PTPRequest, on camera: inout CameraCore, at now: WallTime)
        -> PTPReply
    {
        var reader = ByteReader(request.data)
        guard reader.u32() == UInt32(request.data.count), let word = reader.u32() else {
            return PTPReply(.invalidDataset)
        }
        let code = UInt16(truncatingIfNeeded: word)
        guard let setting = setting(code, of: camera, at: now) else {
            return PTPReply(.devicePropNotSupported)
        }
        guard let value = setting.value.read(from: &reader) else { return PTPReply(.invalidDataset) }
        guard !isBusy(at: now), !shutter.isOpen, !refusesSetting(code) else { return PTPReply(.deviceBusy) }
        if let answer = forcedResponses[code] { return PTPReply(answer) }
        guard setting.isWritable else { return PTPReply(.accessDenied) }
        guard setting.allows(value), isMode(value, of: code) else { return PTPReply(.invalidDevicePropValue) }
        let wasRecording = number(CanonProperty.movieRecording) != 0
        change(on: &camera, at: now) { $0.store(value, to: code, on: &$1, at: now) }
        if wasRecording, number(CanonProperty.movieRecording) == 0 {
            // The recorded movie goes to the card, regardless of the destination of photos.
            do { try shoot(on: &camera, at: now, toMemory: false, isMovie: true) } catch {
                return PTPReply(.storeFull)
            }
        }
        return PTPReply(.ok)
    }

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError)
    {
        guard !isLocked else { throw .bodyLocked }
        let (code, number) = try dial.parse(with: CanonDialText.setting)
        let value = CanonValue.number(number)
        guard let setting = setting(code, of: camera, at: now), setting.isWritable, setting.allows(value),
            isMode(value, of: code)
        else { throw .usage("cannot turn \(dial.name) to \(dial.word) in this mode") }
        change(on: &camera, at: now) { $0.store(value, to: code, on: &$1, at: now) }
    }

    /// Returns whether the body refuses to change a setting in its current state.
    ///
    /// A tethered body refuses to change the setting for automatic power-off (libgphoto2 issue 242). Movie
    /// recording requires movie mode and live view.
    private func refusesSetting(_ code: UInt16) -> Bool {
        switch code {
        case CanonProperty.autoPowerOff: true
        case CanonProperty.movieRecording: !(isMovieMode && isLiveViewOn)
        default: false
        }
    }

    private mutating func store(
        _ value: CanonValue, to code: UInt16, on camera: inout CameraCore, at now: WallTime
    ) {
        switch (code, value) {
        case (CanonProperty.captureDestination, .number(let place)):
            destination = place == CanonDestination.host ? .host : .card
        case (CanonProperty.cameraTime, .number(let seconds)):
            setClock(of: &camera, aheadBy: Int64(seconds) - now.cameraSeconds)
        case (CanonProperty.utcTime, .number(let seconds)):
            setClock(of: &camera, aheadBy: Int64(seconds) - now.hostMs / 1000)
        case (CanonProperty.imageFormat, .imageFormat(let format)): dials.imageFormat = format
        case (CanonProperty.exposureMode, .number(let mode)),
            (CanonProperty.exposureModeDial, .number(let mode)):
            dials.mode = CanonDials.Mode(rawValue: mode) ?? dials.mode
        case (_, .number(let number)) where dials[code] != nil: dials[code] = number
        default: settings[code] = value
        }
    }

    /// Returns whether the body supports a value of an exposure mode property. Returns `true` for all other
    /// properties. The body reports no list of modes.
    private func isMode(_ value: CanonValue, of code: UInt16) -> Bool {
        guard code == CanonProperty.exposureMode || code == CanonProperty.exposureModeDial,
            case .number(let mode) = value
        else { return true }
        return CanonDials.Mode(rawValue: mode) != nil
    }

    private func setClock(of camera: inout CameraCore, aheadBy seconds: Int64) {
        camera.clockOffsetSeconds = Int(seconds)
        for code in [CanonProperty.cameraTime, CanonProperty.utcTime] { camera.emit(.propertyChanged(code)) }
    }
}
