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
    /// Fujifilm property codes, as libgphoto2 names them.
    enum FujiProperty {
        static let priorityMode: UInt16 = 0xD207
        static let release: UInt16 = 0xD208
        static let focusStatus: UInt16 = 0xD209
        static let freeMemoryImages: UInt16 = 0xD20E
        static let currentState: UInt16 = 0xD212
        static let computerMode: UInt16 = 0xD38C
    }

    /// PriorityMode: the body's buttons and dials work.
    static let bodyPriority: UInt16 = 1
    private static let computerPriority: UInt16 = 2
    /// Value of the release property for "focus and shoot"; 0x0200 only focuses.
    private static let focusAndShoot: UInt16 = 0x0304

    var fujiPropertyCodes: [UInt16] {
        guard identity.maker == .fuji else { return [] }
        return [
            FujiProperty.priorityMode, FujiProperty.release, FujiProperty.focusStatus,
            FujiProperty.currentState, FujiProperty.computerMode,
        ] + (bufferShots == nil ? [] : [FujiProperty.freeMemoryImages])
    }

    func fujiProperty(_ code: UInt16) -> DeviceProperty? {
        guard identity.maker == .fuji else { return nil }
        func value(_ number: UInt16, _ form: DeviceProperty.Form = .any, isWritable: Bool = true)
            -> DeviceProperty
        {
            DeviceProperty(isWritable: isWritable, standard: .u16(1), current: .u16(number), form: form)
        }
        return switch code {
        case FujiProperty.priorityMode:
            value(fujiPriority, .choice([.u16(Self.bodyPriority), .u16(Self.computerPriority)]))
        case FujiProperty.release: value(fujiRelease)
        case FujiProperty.computerMode: value(1)
        // In focus; ready.
        case FujiProperty.focusStatus: value(2, isWritable: false)
        case FujiProperty.currentState: value(1, isWritable: false)
        case FujiProperty.freeMemoryImages:
            bufferShots.map { value(UInt16(clamping: $0 - bufferedShots), isWritable: false) }
        default: nil
        }
    }

    mutating func fujiSet(_ code: UInt16, to value: UInt16) {
        switch code {
        case FujiProperty.priorityMode: fujiPriority = value
        case FujiProperty.release: fujiRelease = value
        default: break
        }
    }

    /// InitiateCapture does what the release property says, and only while the computer has the command.
    mutating func fujiCapture(at now: WallTime) -> PTPReply {
        guard fujiPriority == Self.computerPriority else { return PTPReply(.accessDenied) }
        guard fujiRelease == Self.focusAndShoot else { return PTPReply(.ok) }
        do { try shoot(at: now) } catch { return PTPReply(.storeFull) }
        return PTPReply(.ok)
    }

    /// Whether the body's shutter is dead.
    public var isBodyLocked: Bool {
        canon.isLocked || nikon.isRemote
            || identity.maker == .fuji && session != nil && fujiPriority == Self.computerPriority
    }

    private var bufferedShots: Int {
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
}
