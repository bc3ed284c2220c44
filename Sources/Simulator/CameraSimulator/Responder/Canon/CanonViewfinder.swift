extension CanonBody {
    /// Bits of EVFOutputDevice (0xD1B0) with a picture for the computer: large, medium, small. The first bit is the body's own screen.
    fileprivate static let computerOutputs: UInt32 = 0xE
    fileprivate static let largeOutput: UInt32 = 2
    fileprivate static let mediumOutput: UInt32 = 4

    fileprivate var output: UInt32 {
        get { number(CanonProperty.viewfinderOutput) }
        set { settings[CanonProperty.viewfinderOutput] = .number(newValue) }
    }

    /// No more pictures for the computer; what the body's screen shows stays.
    fileprivate mutating func endLiveView() { output &= ~Self.computerOutputs }
}

extension Camera {

    /// Answers the operations of live view, the lens in it, and movies.
    mutating func canonViewfinder(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime)
        -> PTPReply
    {
        switch operation {
        case .canonStartViewfinder: canonStartViewfinder(at: now)
        case .canonEndViewfinder: canonEndViewfinder(at: now)
        case .canonGetViewfinderImage: canonViewfinderImage(at: now)
        case .canonDriveLens: canonDriveLens(request, at: now)
        case .canonZoom: canonZoom(request)
        case .canonZoomPosition: canonMoveZoom(request)
        case .canonMovieSwitchOn: canonSwitch(toMovies: true)
        case .canonMovieSwitchOff: canonSwitch(toMovies: false)
        default: PTPReply(.ok)
        }
    }

    /// Whether the camera makes pictures for the computer.
    var isCanonViewfinderOn: Bool {
        canon.output & CanonBody.computerOutputs != 0
            && (canon.number(CanonProperty.viewfinderMode) == 1 || isCanonMovieMode)
    }

    var isCanonMovieMode: Bool { canon.isMovieSwitchOn || canon.dials.mode == .movie }

    /// Live view on (0x9151), by the same settings that a client may use for it.
    private mutating func canonStartViewfinder(at now: WallTime) -> PTPReply {
        guard !canon.isHot else { return PTPReply(.deviceBusy) }
        canonChange(at: now) {
            $0.canon.settings[CanonProperty.viewfinderMode] = .number(1)
            if $0.canon.output & CanonBody.computerOutputs == 0 { $0.canon.output |= CanonBody.largeOutput }
        }
        return PTPReply(.ok)
    }

    /// Live view for the computer off (0x9152).
    private mutating func canonEndViewfinder(at now: WallTime) -> PTPReply {
        canonChange(at: now) { $0.canon.endLiveView() }
        return PTPReply(.ok)
    }

    /// The body gets too hot for live view, or has cooled down. Live view does not come back by itself.
    mutating func setCanonHot(_ isHot: Bool, at now: WallTime) {
        canonChange(at: now) {
            $0.canon.isHot = isHot
            if isHot { $0.canon.endLiveView() }
        }
    }

    /// A picture of the live view (0x9153): blobs, each with its length and kind in front. Before the first picture, and when one
    /// is asked for before it is made, the answer is "not ready".
    private mutating func canonViewfinderImage(at now: WallTime) -> PTPReply {
        let output = canon.output
        let size =
            output & CanonBody.largeOutput != 0
            ? (128, 85) : output & CanonBody.mediumOutput != 0 ? (80, 53) : (40, 27)
        let isOn = isCanonViewfinderOn && !canon.isHot
        guard let frame = canon.liveView.frame(isOn: isOn, size: size, at: now) else {
            return PTPReply(.canonNotReady)
        }
        // Facts of the picture come first on many bodies: a kind that the driver does not know.
        var blobs = [
            (kind: Self.factsBlob, bytes: [UInt8](repeating: 0, count: 16)),
            (kind: pictureBlob, bytes: frame),
        ]
        let fault = canon.pictureFault
        canon.pictureFault = nil
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

    private static let factsBlob: UInt32 = 3

    /// 1 is a picture; 9 is one in movie mode, which libgphoto2 gives out as raw data.
    private var pictureBlob: UInt32 { isCanonMovieMode ? 9 : 1 }

    /// The switch between photos and movies (0x9133, 0x9134).
    private mutating func canonSwitch(toMovies isOn: Bool) -> PTPReply {
        canon.isMovieSwitchOn = isOn
        return PTPReply(.ok)
    }

    /// The lens moves nearer (1...3) or farther (0x8001...0x8003), by a small, middle or large step (0x9155). It needs live view,
    /// and there is no end to it that the camera tells of.
    private mutating func canonDriveLens(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let step = request.parameter(0)
        guard (1...3).contains(step & ~0x8000) else { return PTPReply(.invalidParameter) }
        guard isCanonViewfinderOn, !canon.isBusy(at: now), now.hostMs >= canon.lensBusyUntilMs else {
            return PTPReply(.deviceBusy)
        }
        canon.lensBusyUntilMs = now.hostMs + Self.lensMs
        return PTPReply(.ok)
    }

    /// How long a step takes the lens.
    private static let lensMs: Int64 = 100

    /// Magnification of the live view (0x9158).
    private mutating func canonZoom(_ request: PTPRequest) -> PTPReply {
        guard isCanonViewfinderOn else { return PTPReply(.deviceBusy) }
        guard [1, 5, 10].contains(request.parameter(0)) else { return PTPReply(.invalidParameter) }
        canon.zoom = request.parameter(0)
        return PTPReply(.ok)
    }

    /// What part of the picture is magnified (0x9159).
    private mutating func canonMoveZoom(_ request: PTPRequest) -> PTPReply {
        guard isCanonViewfinderOn else { return PTPReply(.deviceBusy) }
        canon.zoomCorner = (request.parameter(0), request.parameter(1))
        return PTPReply(.ok)
    }
}
