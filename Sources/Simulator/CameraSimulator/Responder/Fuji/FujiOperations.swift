/// What the lamp of a Fujifilm in tether shooting shows.
public enum CameraLamp: String, Hashable, Sendable {
    /// Nothing waits in the memory.
    case off
    /// Photos wait to be fetched and deleted; the body will not switch off.
    case blinking
    /// No room for another shot.
    case full
}

extension Camera {
    /// How long focus is looked for, in milliseconds, and how long where it is found late.
    private static let focusMs: Int64 = 200
    private static let lateFocusMs: Int64 = 1_500

    /// InitiateCapture does what the release property says, and only while the computer has the command.
    mutating func fujiCapture(at now: WallTime) -> PTPReply {
        guard fuji.priority == .computer else { return PTPReply(.accessDenied) }
        switch fuji.action {
        case FujiBody.Action.focus, FujiBody.Action.driveFocus:
            fuji.focusUntilMs = now.hostMs + (fuji.autofocus == .findsLate ? Self.lateFocusMs : Self.focusMs)
        case FujiBody.Action.shoot:
            // Not beside an open capture, and not without focus.
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

    /// Whether the body's shutter is dead.
    public var isBodyLocked: Bool {
        canon.isLocked || nikon.isRemote || session != nil && fuji.priority == .computer
    }

    // MARK: The memory

    var bufferedShots: Int {
        var shots: Set<Int> = []
        for file in card.files { shots.insert(file.shot) }
        return shots.count
    }

    /// Whether the memory takes another shot.
    var hasBufferRoom: Bool { bufferShots.map { bufferedShots < $0 } ?? true }

    /// What the lamp shows; `nil` for a camera without such a lamp.
    public var lamp: CameraLamp? {
        guard identity.maker == .fuji else { return nil }
        return !hasBufferRoom ? .full : bufferedShots > 0 ? .blinking : .off
    }

    // MARK: Live view

    /// Handle of the picture of live view.
    static let fujiPictureHandle: UInt32 = 0x8000_0001

    /// Pictures come from now on (InitiateOpenCapture).
    mutating func fujiOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard fuji.openCapture == nil, !fuji.shutter.isOpen else { return PTPReply(.deviceBusy) }
        fuji.openCapture = request.transaction
        _ = fuji.liveView.isStarted(isOn: true, at: now)
        return PTPReply(.ok)
    }

    /// No more pictures: by the number of the transaction that began it (TerminateOpenCapture).
    mutating func fujiEndOpenCapture(_ request: PTPRequest, at now: WallTime) -> PTPReply {
        guard let open = fuji.openCapture, open == request.parameter(0) else {
            return PTPReply(.invalidTransaction)
        }
        fuji.openCapture = nil
        fuji.picture = nil
        _ = fuji.liveView.isStarted(isOn: false, at: now)
        return PTPReply(.ok)
    }

    /// Answers what is asked of the picture of live view; `nil` for another object. The next one is made when the last one is
    /// deleted.
    mutating func fujiPicture(_ operation: PTPOperation, _ request: PTPRequest, at now: WallTime) -> PTPReply?
    {
        guard identity.maker == .fuji, request.parameter(0) == Self.fujiPictureHandle,
            [.getObjectInfo, .getObject, .deleteObject].contains(operation)
        else { return nil }
        guard fuji.openCapture != nil else { return PTPReply(.invalidObjectHandle) }
        if fuji.picture == nil { fuji.picture = fuji.liveView.frame(isOn: true, size: fujiSize, at: now) }
        guard let picture = fuji.picture else {
            return PTPReply(operation == .getObjectInfo ? .invalidObjectHandle : .deviceBusy)
        }
        switch operation {
        case .getObject: return PTPReply(data: ByteRope(picture))
        case .deleteObject:
            fuji.picture = nil
            return PTPReply(.ok)
        default:
            var object = CardObject(
                handle: Self.fujiPictureHandle, parent: 0, storage: Card.storageID, format: .jpeg,
                name: "LIVEVIEW.JPG",
                time: now)
            object.bytes = ByteRope(picture)
            return PTPReply(describe(object).info)
        }
    }

    /// Width and height in blocks of 8 pixels.
    private var fujiSize: (columns: Int, rows: Int) {
        switch fuji.settings[FujiProperty.liveViewSize]?.current {
        case .u16(1): (128, 85)
        case .u16(3): (40, 27)
        default: (80, 53)
        }
    }
}
