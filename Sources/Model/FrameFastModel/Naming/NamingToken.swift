/// What a template can say about a photo.
public enum NamingToken: String, CaseIterable, Sendable {
    case session, date, time, year, month, day, hour, minute, second
    case camera, serial, model, maker, original, counter, shot, host
    case field, iso, shutter, aperture
    case focalLength = "focal_length"
    case lens, ext

    /// One sentence for `template test` and the documentation.
    public var meaning: String {
        switch self {
        case .session: "name of the running session, or 'unsorted'"
        case .date: "capture date by the camera's clock, as 2026-11-21"
        case .time: "capture time by the camera's clock, as 142530"
        case .year: "year, four digits"
        case .month: "month, two digits"
        case .day: "day, two digits"
        case .hour: "hour, two digits"
        case .minute: "minute, two digits"
        case .second: "second, two digits"
        case .camera: FactName.camera.meaning
        case .serial: FactName.serial.meaning
        case .model: FactName.model.meaning
        case .maker: FactName.maker.meaning
        case .original: FactName.original.meaning + ", without extension"
        case .counter: "running number; {counter:05} has five digits. A RAW and its JPEG share it"
        case .shot: "\(FactName.shot.meaning), or 'single'; {shot:04} has four digits"
        case .host: "name of this computer, as [fleet] has it: for photos of many that go to one place"
        case .field:
            "what was set for the session or its camera: {field:job} is the field `job`, or '\(Self.noField)'"
        case .iso: "sensitivity from the file, as 400, or '\(Self.unknown)'"
        case .shutter: "exposure time from the file, as 1-250 or 0.5, or '\(Self.unknown)'"
        case .aperture: "f-number from the file, as 2.8, or '\(Self.unknown)'"
        case .focalLength: "focal length in millimetres from the file, as 85, or '\(Self.unknown)'"
        case .lens: "model of the lens from the file, or '\(Self.unknown)'"
        case .ext: "the camera's own extension, in lower case"
        }
    }
}

extension NamingToken {
    /// Stands for the session of photos that were taken while none was running.
    public static let noSession = "unsorted"

    /// Stands for the shot of photos that no group took.
    public static let noShot = "single"

    /// Stands for a field that is not set.
    public static let noField = "none"

    /// Stands for what a photo's file does not say.
    public static let unknown = "unknown"

    /// Whether it is a number, which may be told how many digits it has.
    var isNumber: Bool { self == .counter || self == .shot }

    /// Whether it is a text, which may be cut: never the extension, which says what a file is.
    var isText: Bool {
        switch self {
        case .session, .camera, .serial, .model, .maker, .original, .host, .field, .lens: true
        case .date, .time, .year, .month, .day, .hour, .minute, .second, .counter, .shot, .iso, .shutter,
            .aperture, .focalLength, .ext:
            false
        }
    }

    /// Whether it may be made large or small.
    var hasLetters: Bool { isText || self == .ext }

    /// What a photo says to this.
    ///
    /// - Parameters:
    ///   - counter: Its running number.
    ///   - width: Digits of a number, at least.
    ///   - host: This computer.
    func text(of photo: Photo, counter: Int, width: Int, host: FleetHostName) -> String {
        let (taken, camera) = (photo.taken, photo.camera)
        let (stem, ext) = SafeName.split(photo.record.object.name)
        return switch self {
        case .session: photo.session?.name ?? Self.noSession
        case .date: "\(padded(taken.year, 4))-\(padded(taken.month))-\(padded(taken.day))"
        case .time: padded(taken.hour) + padded(taken.minute) + padded(taken.second)
        case .year: padded(taken.year, 4)
        case .month: padded(taken.month)
        case .day: padded(taken.day)
        case .hour: padded(taken.hour)
        case .minute: padded(taken.minute)
        case .second: padded(taken.second)
        case .camera: camera.name
        case .serial: camera.serial.isEmpty ? camera.name : camera.serial
        case .model: camera.model.isEmpty ? "camera" : camera.model
        case .maker: camera.maker.isEmpty ? "camera" : camera.maker
        case .original: stem
        case .counter: padded(counter, width)
        case .shot: photo.record.groupShotID.map { padded(Int($0.rawValue), width) } ?? Self.noShot
        case .host: host.rawValue
        // Which one, only its use knows.
        case .field: Self.noField
        case .iso: photo.record.exif?.iso.map(String.init) ?? Self.unknown
        case .shutter: photo.record.exif?.shutterText ?? Self.unknown
        case .aperture: photo.record.exif?.apertureText ?? Self.unknown
        case .focalLength: photo.record.exif?.focalLengthText ?? Self.unknown
        case .lens: photo.record.exif?.lens ?? Self.unknown
        case .ext: ext.isEmpty ? "bin" : ext.lowercased()
        }
    }

    private func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
