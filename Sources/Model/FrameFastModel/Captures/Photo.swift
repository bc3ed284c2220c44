public import FoundationEssentials

/// A photo with its camera and its session: names, rules, modes, uploads, hooks and replies read what they say of a photo from
/// this one value.
///
/// It grows on its way: a ``CameraObject`` is what the camera announces, an ``Arrival`` what came of it, a ``CaptureRecord``
/// what the ledger has of both.
public struct Photo: Hashable, Sendable, Identifiable {
    /// What the ledger has of it.
    public var record: CaptureRecord
    /// What took it.
    public var camera: PhotoCamera
    /// The session that it belongs to; `nil` without one.
    public var session: PhotoSession?

    /// Creates a photo.
    public init(_ record: CaptureRecord, camera: PhotoCamera, session: PhotoSession?) {
        self.record = record
        self.camera = camera
        self.session = session
    }

    /// Its number in the ledger.
    public var id: CaptureID { record.id }

    /// The zone of the camera's clock when the photo was found. The computer may be in another one by now.
    private var zone: TimeZone { record.zone ?? camera.zone }

    /// The time on the camera's clock when the photo was taken. Where the camera gives none, or one before its own time, the
    /// time that its clock should have shown when the host heard of the photo.
    public var taken: WallClock {
        if let shown = record.object.plausibleTime { return WallClock(seconds: shown) }
        let offset = zone.secondsFromGMT(for: record.detectedAt)
        return WallClock(seconds: Int64(record.detectedAt.timeIntervalSince1970) + Int64(offset))
    }

    /// The moment at which it was taken: the camera's clock read in the camera's zone; else when the host heard of it.
    public var takenAt: Date {
        record.object.plausibleTime == nil ? record.detectedAt : taken.date(in: zone)
    }

    /// The largest error of a camera's clock, in seconds: the wrong zone makes up to 26 hours, and the wrong day a little more.
    public static let clockErrorSeconds: TimeInterval = 2 * 86_400

    /// Whether it was taken at about the present moment, as far as its camera's clock can tell: within
    /// ``clockErrorSeconds``. One without a time that can be true was not. What lies in the camera's memory was taken while it
    /// was connected.
    ///
    /// - Parameter moment: The present moment.
    public func isTaken(about moment: Date) -> Bool {
        if record.object.isInMemory { return true }
        guard record.object.plausibleTime != nil else { return false }
        return abs(takenAt.timeIntervalSince(moment)) <= Self.clockErrorSeconds
    }

    /// Whether it may have been taken before a moment, as far as its camera's clock can tell. A photo on a card without a
    /// time that can be true may be of any time.
    ///
    /// - Parameter now: The present time. The clock that dated a later photo is wrong.
    public func mayBeOlder(than moment: Date, now: Date) -> Bool {
        guard record.object.plausibleTime != nil || record.object.isInMemory else { return true }
        return takenAt < moment.addingTimeInterval(Self.clockErrorSeconds)
            || takenAt > now.addingTimeInterval(Self.clockErrorSeconds)
    }
}

/// The camera that took a photo, as far as it matters to the photo.
public struct PhotoCamera: Hashable, Sendable {
    /// Its id in the fleet, now or when it was last connected.
    public var id: CameraID
    /// What people call it.
    public var name: String
    /// Maker; may be empty.
    public var maker: String
    /// Model; may be empty.
    public var model: String
    /// Serial number; may be empty.
    public var serial: String
    /// The zone that its clock runs in.
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

    /// A camera as the fleet knows it.
    public init(_ status: CameraStatus, zone: TimeZone) {
        self.init(
            id: status.id, name: status.name, maker: status.facts?.maker ?? "",
            model: status.facts?.model ?? "", serial: status.facts?.serial ?? "", zone: zone)
    }

    /// A body of which nothing but its photos is on record: it goes by its own text.
    public init(unknown body: BodyID) {
        self.init(id: CameraID(rawValue: body.rawValue), name: body.rawValue, zone: .current)
    }
}

/// The session that a photo belongs to.
public struct PhotoSession: Hashable, Sendable {
    /// Its number.
    public var id: SessionID
    /// Its name.
    public var name: String

    /// Creates a session.
    public init(id: SessionID, name: String) {
        self.id = id
        self.name = name
    }
}
