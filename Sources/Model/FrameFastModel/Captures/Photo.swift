public import FoundationEssentials

/// A photo with its camera and its session. Names, rules, modes, uploads, hooks and replies read all
/// properties of a photo from this value.
///
/// A ``CameraObject`` is the camera's announcement, an ``Arrival`` is a completed transfer, and a
/// ``CaptureRecord`` combines both in the ledger.
public struct Photo: Hashable, Sendable, Identifiable {
    /// The record in the ledger.
    public var record: CaptureRecord
    /// The camera that took the photo.
    public var camera: PhotoCamera
    /// The session of the photo, or `nil` without one.
    public var session: PhotoSession?

    /// Creates a photo.
    public init(_ record: CaptureRecord, camera: PhotoCamera, session: PhotoSession?) {
        self.record = record
        self.camera = camera
        self.session = session
    }

    /// The number in the ledger.
    public var id: CaptureID { record.id }

    /// The zone of the camera's clock when the photo was found. This computer may be in another zone now.
    private var zone: TimeZone { record.zone ?? camera.zone }

    /// The time on the camera's clock when the photo was taken. If the camera reports none or an implausible
    /// one, the time that its clock should have shown at the first announcement.
    public var taken: WallClock {
        if let shown = record.object.plausibleTime { return WallClock(seconds: shown) }
        let offset = zone.secondsFromGMT(for: record.detectedAt)
        return WallClock(seconds: Int64(record.detectedAt.timeIntervalSince1970) + Int64(offset))
    }

    /// The moment at which the photo was taken: the camera's clock in the camera's zone, or else the first
    /// announcement.
    public var takenAt: Date {
        record.object.plausibleTime == nil ? record.detectedAt : taken.date(in: zone)
    }

    /// The largest error of a camera's clock, in seconds. A wrong zone causes up to 26 hours, and a wrong day
    /// a little more.
    public static let clockErrorSeconds: TimeInterval = 2 * 86_400

    /// Returns whether the photo was taken within ``clockErrorSeconds`` of the present moment, by its
    /// camera's clock. Returns `false` for a photo on a card without a plausible time. Returns `true` for a
    /// photo in the camera's memory, because it was taken during the connection.
    ///
    /// - Parameter moment: The present moment.
    public func isTaken(about moment: Date) -> Bool {
        if record.object.isInMemory { return true }
        guard record.object.plausibleTime != nil else { return false }
        return abs(takenAt.timeIntervalSince(moment)) <= Self.clockErrorSeconds
    }

    /// Returns whether the photo may have been taken before a moment, by its camera's clock. Returns `true`
    /// for a photo on a card without a plausible time.
    ///
    /// - Parameter now: The present time. A photo dated later comes from a wrong clock.
    public func mayBeOlder(than moment: Date, now: Date) -> Bool {
        guard record.object.plausibleTime != nil || record.object.isInMemory else { return true }
        return takenAt < moment.addingTimeInterval(Self.clockErrorSeconds)
            || takenAt > now.addingTimeInterval(Self.clockErrorSeconds)
    }
}

/// The properties of a camera that its photos need.
public struct PhotoCamera: Hashable, Sendable {
    /// The camera's id, now or at its last connection.
    public var id: CameraID
    /// The name that a person gave the camera.
    public var name: String
    /// The maker; may be empty.
    public var maker: String
    /// The model; may be empty.
    public var model: String
    /// The serial number; may be empty.
    public var serial: String
    /// The zone in which its clock runs.
    public var zone: TimeZone

    /// Creates a camera.
    public init(
        id: CameraID, name: String, maker: String = "", model: String = "", serial: String = "",
        zone: TimeZone
    ) {
        self.id = id
        self.name = name
        self.maker = maker
        self.model = model
        self.serial = serial
        self.zone = zone
    }

    /// Creates a camera from its status.
    public init(_ status: CameraStatus, zone: TimeZone) {
        self.init(
            id: status.id, name: status.name, maker: status.facts?.maker ?? "",
            model: status.facts?.model ?? "", serial: status.facts?.serial ?? "", zone: zone)
    }

    /// Creates a camera for a body that is known only from its photos, named by its id.
    public init(unknown body: BodyID) {
        self.init(id: CameraID(rawValue: body.rawValue), name: body.rawValue, zone: .current)
    }
}

/// The session that a photo belongs to.
public struct PhotoSession: Hashable, Sendable {
    /// The number in the ledger.
    public var id: SessionID
    /// The name.
    public var name: String

    /// Creates a session.
    public init(id: SessionID, name: String) {
        self.id = id
        self.name = name
    }
}
