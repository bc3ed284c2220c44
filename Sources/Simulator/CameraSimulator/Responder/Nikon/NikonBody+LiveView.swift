extension NikonBody {
    /// Performs the operations for live view, lens movement and movies.
    mutating func performLiveViewOperation(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply {
        switch operation {
        case .nikonStartLiveView: startLiveView(at: now)
        case .nikonEndLiveView: endLiveView(at: now)
        case .nikonGetLiveViewImage: frame(at: now)
        case .nikonDriveLens: driveLens(request, at: now)
        case .nikonChangeFocusArea: PTPReply(isLiveViewOn ? .ok : .nikonNotLiveView)
        case .nikonStartMovie: startMovie(on: &camera)
        case .nikonEndMovie: endMovie(on: &camera, at: now)
        default: PTPReply(.ok)
        }
    }

    // MARK: Live view

    /// The startup time of live view, in milliseconds.
    private static let startMs: Int64 = 300
    /// The bit of 0xD1A4 for a hot camera.
    private static let tooHot: UInt32 = 1 << 17
    /// The bit of 0xD1A4 for an open shutter.
    private static let bulbWarning: UInt32 = 1 << 21

    var liveViewProhibited: UInt32 {
        (isHot ? Self.tooHot : 0) | (shutter.isOpen ? Self.bulbWarning : 0)
    }

    private mutating func startLiveView(at now: WallTime) -> PTPReply {
        guard liveViewProhibited == 0 else { return PTPReply(.nikonInvalidStatus) }
        guard !isLiveViewOn else { return PTPReply(.deviceBusy) }
        isLiveViewOn = true
        _ = liveView.updateIsReady(isOn: true, at: now)
        setBusy(for: Self.startMs, at: now)
        return PTPReply(.ok)
    }

    /// Ends live view. Succeeds even if live view is off.
    private mutating func endLiveView(at now: WallTime) -> PTPReply {
        isLiveViewOn = false
        isRecording = false
        _ = liveView.updateIsReady(isOn: false, at: now)
        return PTPReply(.ok)
    }

    /// Makes the body too hot for live view, or cools it down. Live view does not restart automatically.
    mutating func setHot(_ isHot: Bool) {
        self.isHot = isHot
        if isHot { isLiveViewOn = false }
    }

    /// Returns a live-view frame (0x9203): Nikon's header, then a JPEG.
    private mutating func frame(at now: WallTime) -> PTPReply {
        guard isLiveViewOn else { return PTPReply(.nikonNotLiveView) }
        guard now.hostMs >= busyUntilMs,
            let frame = liveView.frame(isOn: true, size: frameSize, at: now)
        else { return PTPReply(.deviceBusy) }
        let (width, height) = (frameSize.columns * 8, frameSize.rows * 8)
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        /// Writes a big-endian number to the header. digiCamControl expects the numbers of a D800 at the
        /// offsets below.
        func put(_ value: Int, at place: Int) {
            (header[place], header[place + 1]) = (UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
        }
        for (place, value) in [
            (8, width), (10, height), (12, 6048), (14, 4024), (16, 600), (18, 400), (20, 3024), (22, 2012),
        ] {
            put(value, at: place)
        }
        header[40] = 1
        header[60] = isRecording ? 1 : 0
        return PTPReply(data: ByteRope(header + frame))
    }

    private static let headerBytes = 384

    private var frameSize: (columns: Int, rows: Int) {
        LiveViewFrames.size(settings[NikonProperty.liveViewSize]?.current.number)
    }

    // MARK: The lens

    /// The time for a hundred lens steps, in milliseconds.
    private static let lensMs: Int64 = 10

    /// Moves the lens nearer (1) or farther (2) by a number of steps. DeviceReady returns the result after
    /// the movement.
    private mutating func driveLens(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard isLiveViewOn else { return PTPReply(.nikonNotLiveView) }
        guard now.hostMs >= busyUntilMs else { return PTPReply(.deviceBusy) }
        let steps = Int(request.parameter(1))
        guard [1, 2].contains(request.parameter(0)), (1...32_767).contains(steps) else {
            return PTPReply(.invalidParameter)
        }
        guard steps >= Self.minimumStep else {
            setBusy(for: Self.lensMs, then: .nikonStepTooSmall, at: now)
            return PTPReply(.ok)
        }
        let target = lens + (request.parameter(0) == 1 ? -steps : steps)
        lens = min(max(target, 0), Self.lensEnd)
        setBusy(
            for: Self.lensMs * Int64(steps / 100 + 1), then: target == lens ? .ok : .nikonLensEnd,
            at: now)
        return PTPReply(.ok)
    }

    // MARK: Movies

    /// The bit of 0xD0A4 for a camera that is not in application mode.
    private static let noApplicationMode: UInt32 = 1 << 14
    /// The bit of 0xD0A4 for a running recording.
    private static let isRecordingAlready: UInt32 = 1 << 10

    var movieProhibited: UInt32 {
        let isApplicationMode = settings[NikonProperty.applicationMode]?.current == .u8(1)
        return (isApplicationMode ? 0 : Self.noApplicationMode)
            | (isRecording ? Self.isRecordingAlready : 0)
    }

    private mutating func startMovie(on camera: inout CameraCore) -> PTPReply {
        guard isLiveViewOn, movieProhibited == 0 else { return PTPReply(.nikonInvalidStatus) }
        isRecording = true
        camera.emit(.event(code: NikonEvent.movieStarted, parameters: []))
        return PTPReply(.ok)
    }

    /// Ends a movie. Movies go to the card, regardless of the destination of photos.
    private mutating func endMovie(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard isRecording else { return PTPReply(.nikonInvalidStatus) }
        isRecording = false
        do { try shoot(on: &camera, at: now, toMemory: false, isMovie: true) } catch {
            return PTPReply(error.response)
        }
        camera.emit(.event(code: NikonEvent.movieComplete, parameters: []))
        return PTPReply(.ok)
    }
}
