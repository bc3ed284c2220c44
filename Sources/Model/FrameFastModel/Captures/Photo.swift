public import FoundationEssentials

/// A photo with its camera and its session. Naming, upload rules, hooks and API replies read the properties
/// of a photo from this type.
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

    /// The time zone of the camera's clock when the photo was found. This zone may differ from the camera's
    /// current zone.
    private var zone: TimeZone { record.zone ?? camera.zone }

    /// The capture time as the camera's clock showed it. If the camera reports no plausible time, the value
    /// is the time of the first announcement in the camera's time zone.
    public var taken: WallClock {
        if let shown = record.object.plausibleTime { return WallClock(seconds: shown) }
        let offset = zone.secondsFromGMT(for: record.detectedAt)
        return WallClock(seconds: Int64(record.detectedAt.timeIntervalSince1970) + Int64(offset))
    }

    /// The moment at which the photo was taken, computed from the camera's clock and time zone. Without a
    /// plausible time, the value is the moment of the first announcement.
    public var takenAt: Date {
        record.object.plausibleTime == nil ? record.detectedAt : taken.date(in: zone)
    }

    /// The largest expected error of a camera's clock, in seconds. A wrong time zone causes an error of up to
    /// 26 hours.
    public static let clockErrorSeconds: TimeInterval = 2 * 86_400

    /// Returns whether the photo's capture time is within ``clockErrorSeconds`` of the present. Returns
    /// `true` for a photo in the camera's memory, because it was taken during the connection. Returns `false`
    /// for a photo on a card without a plausible time.
    ///
    /// - Parameter moment: The present time.
    public func isTaken(about moment: Date) -> Bool {
        if record.object.isInMemory { return true }
        guard record.object.plausibleTime != nil else { return false }
        return abs(takenAt.timeIntervalSince(moment)) <= Self.clockErrorSeconds
    }

    /// Returns whether the photo may have been taken before a moment, allowing for errors of the camera's
    /// clock. Returns `true` for a photo on a card without a plausible time.
    ///
    /// - Parameter now: The present time. If the capture time is later by more than ``clockErrorSeconds``,
    ///   the clock is wrong and the result is `true`.
    public func mayBeOlder(than moment: Date, now: Date) -> Bool {
        guard record.object.plausibleTime != nil || record.object.isInMemory else { return true }
        return takenAt < moment.addingTimeInterval(Self.clockErrorSeconds)
            || takenAt > now.addingTimeInterval(Self.clockErrorSeconds)
    }
}

/// The camera that took a photo.
public struct PhotoCamera: Hashable, Sendable {
    /// The camera's current id, or the id at the last connection if the camera is disconnected.
    public var id: CameraID
    /// The camera's name.
    public var name: String
    /// The maker; may be empty.
    public var maker: String
    /// The model; may be empty.
    public var model: String
    /// The serial number; may be empty.
    public var serial: String
    /// The time zone of the camera's clock.
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

    /// Creates a camera for a body without a record. Its name is the body's id.
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
