/// What a template can say about a photo.
public enum NamingToken: String, CaseIterable, Sendable {
    case session, date, time, year, month, day, hour, minute, second
    case camera, serial, model, maker, original, counter, ext

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
        case .camera: "the camera's name in FrameFast"
        case .serial: "the camera's serial number"
        case .model: "the camera's model"
        case .maker: "the camera's maker"
        case .original: "the camera's own file name, without extension"
        case .counter: "running number; {counter:05} has five digits. A RAW and its JPEG share it"
        case .ext: "the camera's own extension, in lower case"
        }
    }
}

/// The values for one photo's name.
public struct NamingFacts: Hashable, Sendable {
    /// Name of the session; `nil` when none is running.
    public var session: String?
    /// When the photo was taken, by the camera's clock.
    public var taken: WallClock
    /// The camera's name in FrameFast.
    public var camera: String
    /// Serial number; may be empty.
    public var serial: String
    /// Model; may be empty.
    public var model: String
    /// Maker; may be empty.
    public var maker: String
    /// The camera's own file name.
    public var original: String
    /// The running number.
    public var counter: Int

    /// Name used for photos that were taken while no session was running.
    public static let noSession = "unsorted"

    /// Creates the facts.
    public init(
        session: String?, taken: WallClock, camera: String, serial: String, model: String, maker: String,
        original: String, counter: Int
    ) {
        self.session = session
        self.taken = taken
        self.camera = camera
        self.serial = serial
        self.model = model
        self.maker = maker
        self.original = original
        self.counter = counter
    }

    func value(of token: NamingToken, width: Int) -> String {
        switch token {
        case .session: session ?? Self.noSession
        case .date: "\(padded(taken.year, 4))-\(padded(taken.month))-\(padded(taken.day))"
        case .time: padded(taken.hour) + padded(taken.minute) + padded(taken.second)
        case .year: padded(taken.year, 4)
        case .month: padded(taken.month)
        case .day: padded(taken.day)
        case .hour: padded(taken.hour)
        case .minute: padded(taken.minute)
        case .second: padded(taken.second)
        case .camera: camera
        case .serial: serial.isEmpty ? camera : serial
        case .model: model.isEmpty ? "camera" : model
        case .maker: maker.isEmpty ? "camera" : maker
        case .original: SafeName.split(original).stem
        case .counter: padded(counter, width)
        case .ext: SafeName.split(original).ext.isEmpty ? "bin" : SafeName.split(original).ext.lowercased()
        }
    }

    private func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
