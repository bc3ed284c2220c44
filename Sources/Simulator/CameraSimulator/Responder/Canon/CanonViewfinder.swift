extension CanonBody {
    /// The bits of EVFOutputDevice (0xD1B0) that send frames to the computer: large, medium and small. Bit 0
    /// is the body's screen.
    fileprivate static let computerOutputs: UInt32 = 0xE
    fileprivate static let largeOutput: UInt32 = 2
    fileprivate static let mediumOutput: UInt32 = 4

    fileprivate var output: UInt32 {
        get { number(CanonProperty.viewfinderOutput) }
        set { settings[CanonProperty.viewfinderOutput] = .number(newValue) }
    }

    /// Stops frames for the computer. The body's screen continues.
    fileprivate mutating func endLiveView() { output &= ~Self.computerOutputs }
}

extension Camera {

    /// Performs the operations for live view, lens movement and movies.
    mutating func performCanonViewfinderOperation(
        _ operation: PTPOperation, _ request: PTPRequest, at now: WallTime
    )
        -> PTPReply
    {
        switch operation {
        case .canonStartViewfinder: canonStartViewfinder(at: now)
        case .canonEndViewfinder: canonEndViewfinder(at: now)
        case .canonGetViewfinderImage: canonViewfinderImage(at: now)
        case .canonDriveLens: canonDriveLens(request, at: now)
        case .canonZoom: setCanonZoom(request)
        case .canonZoomPosition: canonMoveZoom(request)
        case .canonMovieSwitchOn: setCanonMovieSwitch(toMovies: true)
        case .canonMovieSwitchOff: setCanonMovieSwitch(toMovies: false)
        default: PTPReply(.ok)
        }
    }

    /// Whether the camera sends frames to the computer.
    var isCanonViewfinderOn: Bool {
        canon.output & CanonBody.computerOutputs != 0
            && (canon.number(CanonProperty.viewfinderMode) == 1 || isCanonMovieMode)
    }

    var isCanonMovieMode: Bool { canon.isMovieSwitchOn || canon.dials.mode == .movie }

    /// Starts live view (0x9151), by changing the settings that clients can also use.
    private mutating func canonStartViewfinder(at now: WallTime) -> PTPReply {
        guard !canon.isHot else { return PTPReply(.deviceBusy) }
        changeCanon(at: now) {
            $0.canon.settings[CanonProperty.viewfinderMode] = .number(1)
            if $0.canon.output & CanonBody.computerOutputs == 0 { $0.canon.output |= CanonBody.largeOutput }
        }
        return PTPReply(.ok)
    }

    /// Stops live view for the computer (0x9152).
    private mutating func canonEndViewfinder(at now: WallTime) -> PTPReply {
        changeCanon(at: now) { $0.canon.endLiveView() }
        return PTPReply(.ok)
    }

    /// Makes the body too hot for live view, or cools it down. Live view doesn't restart automatically.
    mutating func setCanonHot(_ isHot: Bool, at now: WallTime) {
        changeCanon(at: now) {
            $0.canon.isHot = isHot
            if isHot { $0.canon.endLiveView() }
        }
    }

    /// Returns a live-view frame (0x9153) as a sequence of blobs, each with its length and type.
    ///
    /// The reply is "not ready" before the first frame and if the next frame isn't available yet.
    private mutating func canonViewfinderImage(at now: WallTime) -> PTPReply {
        let output = canon.output
        let size =
            output & CanonBody.largeOutput != 0
            ? (128, 85) : output & CanonBody.mediumOutput != 0 ? (80, 53) : (40, 27)
        let isOn = isCanonViewfinderOn && !canon.isHot
        guard let frame = canon.liveView.frame(isOn: isOn, size: size, at: now) else {
            return PTPReply(.canonNotReady)
        }
        // Many cameras send the frame's metadata first, in a blob type that the driver doesn't support.
        var blobs = [
            (kind: Self.metadataBlob, bytes: [UInt8](repeating: 0, count: 16)),
            (kind: frameBlob, bytes: frame),
        ]
        let fault = canon.frameFault
        canon.frameFault = nil
        switch fault {
        case .cut: blobs[1].bytes.removeLast(frame.count / 2)
        case .missing: blobs.removeLast()
        case .endless, nil: break
        }
        var out = ByteWriter(capacity: frame.count + 64)
        for (kind, bytes) in blobs {
            out.u32(fault == .endless ? 0 : UInt32(8 + bytes.count))
            out.u32(kind)
            out.raw(bytes)
        }
        return PTPReply(out)
    }

    private static let metadataBlob: UInt32 = 3

    /// Type 1 is a frame. Type 9 is a frame in movie mode, which libgphoto2 returns as raw data.
    private var frameBlob: UInt32 { isCanonMovieMode ? 9 : 1 }

    /// Sets the switch between photos and movies (0x9133, 0x9134).
    private mutating func setCanonMovieSwitch(toMovies isOn: Bool) -> PTPReply {
        canon.isMovieSwitchOn = isOn
        return PTPReply(.ok)
    }

    /// Moves the lens nearer (1...3) or farther (0x8001...0x8003) by a small, medium or large step (0x9155).
    ///
    /// Lens movement requires live view. The camera doesn't report when the lens reaches its end.
    private mutating func canonDriveLens(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let step = request.parameter(0)
        guard (1...3).contains(step & ~0x8000) else { return PTPReply(.invalidParameter) }
        guard isCanonViewfinderOn, !canon.isBusy(at: now), now.hostMs >= canon.lensBusyUntilMs else {
            return PTPReply(.deviceBusy)
        }
        canon.lensBusyUntilMs = now.hostMs + Self.lensMs
        return PTPReply(.ok)
    }

    /// The duration of a lens step, in milliseconds.
    private static let lensMs: Int64 = 100

    /// Sets the magnification of live view (0x9158).
    private mutating func setCanonZoom(_ request: PTPRequest) -> PTPReply {
        guard isCanonViewfinderOn else { return PTPReply(.deviceBusy) }
        guard [1, 5, 10].contains(request.parameter(0)) else { return PTPReply(.invalidParameter) }
        canon.zoom = request.parameter(0)
        return PTPReply(.ok)
    }

    /// Sets the position of the magnified area (0x9159).
    private mutating func canonMoveZoom(_ request: PTPRequest) -> PTPReply {
        guard isCanonViewfinderOn else { return PTPReply(.deviceBusy) }
        canon.zoomCorner = (request.parameter(0), request.parameter(1))
        return PTPReply(.ok)
    }
}
