extension CanonBody {
    /// The bits of EVFOutputDevice (0xD1B0) that send frames to the computer: large, medium and small. Bit 0
    /// is the body's screen.
    private static let computerOutputs: UInt32 = 0xE
    private static let largeOutput: UInt32 = 2
    private static let mediumOutput: UInt32 = 4

    private var output: UInt32 {
        get { number(CanonProperty.viewfinderOutput) }
        set { settings[CanonProperty.viewfinderOutput] = .number(newValue) }
    }

    /// Stops sending frames to the computer. The body's screen stays on.
    private mutating func endOutput() { output &= ~Self.computerOutputs }

    /// Performs the operations for live view, lens movement and movies.
    mutating func performLiveViewOperation(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply {
        switch operation {
        case .canonStartViewfinder: startLiveView(on: &camera, at: now)
        case .canonEndViewfinder: endLiveView(on: &camera, at: now)
        case .canonGetViewfinderImage: frame(at: now)
        case .canonDriveLens: driveLens(request, at: now)
        case .canonZoom: setZoom(request)
        case .canonZoomPosition: moveZoom(request)
        default: PTPReply(.ok)
        }
    }

    /// Whether the camera sends frames to the computer.
    var isLiveViewOn: Bool {
        output & Self.computerOutputs != 0 && (number(CanonProperty.viewfinderMode) == 1 || isMovieMode)
    }

    var isMovieMode: Bool { isMovieSwitchOn || dials.mode == .movie }

    /// Starts live view (0x9151). The operation changes two settings that clients can also change directly.
    private mutating func startLiveView(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        guard !isHot else { return PTPReply(.deviceBusy) }
        change(on: &camera, at: now) { body, _ in
            body.settings[CanonProperty.viewfinderMode] = .number(1)
            if body.output & Self.computerOutputs == 0 { body.output |= Self.largeOutput }
        }
        return PTPReply(.ok)
    }

    /// Stops live view for the computer (0x9152).
    private mutating func endLiveView(on camera: inout CameraCore, at now: WallTime) -> PTPReply {
        change(on: &camera, at: now) { body, _ in body.endOutput() }
        return PTPReply(.ok)
    }

    /// Makes the body too hot for live view, or cools it down. Live view does not restart automatically.
    mutating func setHot(_ isHot: Bool, on camera: inout CameraCore, at now: WallTime) {
        change(on: &camera, at: now) { body, _ in
            body.isHot = isHot
            if isHot { body.endOutput() }
        }
    }

    /// Returns a live-view frame (0x9153) as a sequence of blobs, each with its length and type.
    ///
    /// The reply is "not ready" before the first frame and if the next frame is not available yet.
    private mutating func frame(at now: WallTime) -> PTPReply {
        let output = output
        let size = LiveViewFrames.size(
            output & Self.largeOutput != 0 ? 3 : output & Self.mediumOutput != 0 ? 2 : 1)
        let isOn = isLiveViewOn && !isHot
        guard let frame = liveView.frame(isOn: isOn, size: size, at: now) else {
            return PTPReply(.canonNotReady)
        }
        // Many cameras send the frame's metadata first, in a blob type that the driver does not support.
        var blobs = [
            (kind: Self.metadataBlob, bytes: [UInt8](repeating: 0, count: 16)),
            (kind: frameBlob, bytes: frame),
        ]
        let fault = frameFault
        frameFault = nil
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
    private var frameBlob: UInt32 { isMovieMode ? 9 : 1 }

    /// Moves the lens nearer (1...3) or farther (0x8001...0x8003) by a small, medium or large step (0x9155).
    ///
    /// Lens movement requires live view. The camera does not report when the lens reaches the end of its
    /// range.
    private mutating func driveLens(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        let step = request.parameter(0)
        guard (1...3).contains(step & ~0x8000) else { return PTPReply(.invalidParameter) }
        guard isLiveViewOn, !isBusy(at: now), now.hostMs >= lensBusyUntilMs else {
            return PTPReply(.deviceBusy)
        }
        lensBusyUntilMs = now.hostMs + Self.lensMs
        return PTPReply(.ok)
    }

    /// The duration of a lens step, in milliseconds.
    private static let lensMs: Int64 = 100

    /// Sets the magnification of live view (0x9158).
    private mutating func setZoom(_ request: PTPRequest) -> PTPReply {
        guard isLiveViewOn else { return PTPReply(.deviceBusy) }
        guard [1, 5, 10].contains(request.parameter(0)) else { return PTPReply(.invalidParameter) }
        zoom = request.parameter(0)
        return PTPReply(.ok)
    }

    /// Sets the position of the magnified area (0x9159).
    private mutating func moveZoom(_ request: PTPRequest) -> PTPReply {
        guard isLiveViewOn else { return PTPReply(.deviceBusy) }
        zoomCorner = (request.parameter(0), request.parameter(1))
        return PTPReply(.ok)
    }
}
