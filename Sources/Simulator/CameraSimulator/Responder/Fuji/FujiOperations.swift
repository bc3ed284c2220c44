/// The state of the lamp of a Fujifilm in tether shooting.
public enum CameraLamp: String, Hashable, Sendable {
    /// The memory contains no photos.
    case off
    /// The memory contains photos that a client must fetch and delete. The body can't be switched off.
    case blinking
    /// The memory is full.
    case full
}

extension Camera {
    /// The duration of a focus search, in milliseconds. Delayed focus takes `lateFocusMs`.
    private static let focusMs: Int64 = 200
    private static let lateFocusMs: Int64 = 1_500

    /// Performs the action of the release property. The computer must control the camera.
    mutating func fujiCapture(at now: WallTime) -> PTPReply {
        guard fuji.priority == .computer else { return PTPReply(.accessDenied) }
        switch fuji.action {
        case FujiBody.Action.focus, FujiBody.Action.driveFocus:
            fuji.focusUntilMs = now.hostMs + (fuji.autofocus == .findsLate ? Self.lateFocusMs : Self.focusMs)
        case FujiBody.Action.shoot:
            // A shot is impossible during an open capture or without focus.
            guard fuji.openCapture == nil, fuji.autofocus != .fails, !fuji.shutter.isOpen else {
                return PTPReply(.deviceBusy)
            }
            do { try shoot(at: now) } catch { return PTPReply(error.response) }
        case FujiBody.Action.beginBulb:
            guard fuji.isBulb, fuji.openCapture == nil, !fuji.shutter.isOpen else {
                return PTPReply(.generalError)
            }
            fuji.shutter.open(at: now)
        case FujiBody.Action.endBulb:
            guard fuji.shutter.isOpen else { break }
            fuji.shutter.close(at: now)
            do { try shoot(at: now) } catch { return PTPReply(error.response) }
        default: break
        }
        return PTPReply(.ok)
    }

    /// Whether the body's shutter button is locked.
    public var isBodyLocked: Bool {
        canon.isLocked || nikon.isRemote || session != nil && fuji.priority == .computer
    }

    // MARK: The memory

    var bufferedShots: Int {
        var shots: Set<Int> = []
        for file in card.files { shots.insert(file.shot) }
        return shots.count
    }

    /// Whether the memory has space for another shot.
    var hasBufferSpace: Bool { bufferShots.map { bufferedShots < $0 } ?? true }

    /// The state of the lamp, or `nil` for a camera without a lamp.
    public var lamp: CameraLamp? {
        guard identity.maker == .fuji else { return nil }
        return !hasBufferSpace ? .full : bufferedShots > 0 ? .blinking : .off
    }

    // MARK: Live view

    /// The handle of the live-view frame.
    static let fujiFrameHandle: UInt32 = 0x8000_0001

    /// Starts live view (InitiateOpenCapture).
    mutating func fujiOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard fuji.openCapture == nil, !fuji.shutter.isOpen else { return PTPReply(.deviceBusy) }
        fuji.openCapture = request.transaction
        _ = fuji.liveView.updateIsReady(isOn: true, at: now)
        return PTPReply(.ok)
    }

    /// Ends live view, identified by the transaction that started it (TerminateOpenCapture).
    mutating func fujiEndOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard let open = fuji.openCapture, open == request.parameter(0) else {
            return PTPReply(.invalidTransaction)
        }
        fuji.openCapture = nil
        fuji.frame = nil
        _ = fuji.liveView.updateIsReady(isOn: false, at: now)
        return PTPReply(.ok)
    }

    /// Performs a request for the live-view frame, or returns `nil` for another object. Deleting a frame
    /// requests the next one.
    mutating func fujiFrame(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply? {
        guard identity.maker == .fuji, request.parameter(0) == Self.fujiFrameHandle,
            [.getObjectInfo, .getObject, .deleteObject].contains(operation)
        else { return nil }
        guard fuji.openCapture != nil else { return PTPReply(.invalidObjectHandle) }
        if fuji.frame == nil { fuji.frame = fuji.liveView.frame(isOn: true, size: fujiFrameSize, at: now) }
        guard let frame = fuji.frame else {
            return PTPReply(operation == .getObjectInfo ? .invalidObjectHandle : .deviceBusy)
        }
        switch operation {
        case .getObject: return PTPReply(data: ByteRope(frame))
        case .deleteObject:
            fuji.frame = nil
            return PTPReply(.ok)
        default:
            var object = CardObject(
                handle: Self.fujiFrameHandle, parent: 0, storage: Card.storageID, format: .jpeg,
                name: "LIVEVIEW.JPG",
                time: now)
            object.bytes = ByteRope(frame)
            return PTPReply(describe(object).info)
        }
    }

    /// The frame size in blocks of 8 pixels.
    private var fujiFrameSize: (columns: Int, rows: Int) {
        switch fuji.settings[FujiProperty.liveViewSize]?.current {
        case .u16(1): (128, 85)
        case .u16(3): (40, 27)
        default: (80, 53)
        }
    }
}
