/// A request for a long-running operation. A camera runs one operation at a time. The worker controls the
/// timing, independently of the daemon.
public enum CameraOperation: Codable, Hashable, Sendable {
    /// A long exposure (bulb).
    case bulb(BulbCommand)
    /// Photos at a fixed interval.
    case interval(IntervalCommand)
    /// Photos at several exposures. The worker restores the changed settings afterwards.
    case bracket(BracketCommand)
    /// Photos at several focus positions.
    case focusStack(FocusStackCommand)
    /// A movie.
    case movie(MovieCommand)
    /// One photo at a given time, for a simultaneous release of several cameras.
    case release(ReleaseCommand)

    /// The kind of operation.
    public var kind: Kind {
        switch self {
        case .bulb: .bulb
        case .interval: .interval
        case .bracket: .bracket
        case .focusStack: .focusStack
        case .movie: .movie
        case .release: .release
        }
    }

    /// A kind of operation.
    public typealias Kind = OperationKind
}

/// A request for a long exposure.
public struct BulbCommand: Codable, Hashable, Sendable {
    /// The range of exposure times, in milliseconds. The maximum is a day.
    public static let rangeMs = 1...86_400_000
    /// The exposure time, in milliseconds from the camera's response to the command that opens the shutter.
    public var durationMs: Int

    /// Creates a request.
    public init(durationMs: Int) { self.durationMs = durationMs }
}

/// A request for photos at a fixed interval. A tick is the time of one photo. Tick `k` is due at `epochNs + k
/// · periodMs`, even if earlier ticks were late.
public struct IntervalCommand: Codable, Hashable, Sendable {
    /// The range of the period, in milliseconds.
    public static let periodRangeMs = 100...86_400_000
    /// The range of the number of ticks.
    public static let countRange = 1...1_000_000

    /// The time of tick 0, in nanoseconds of CLOCK_BOOTTIME, which also counts while the computer sleeps. The
    /// value also identifies this operation among all interval operations of the camera.
    public var epochNs: UInt64
    /// The period, which is the time between two ticks, in milliseconds.
    public var periodMs: Int
    /// The number of the first tick of this request. Earlier ticks were processed before the request.
    public var first: Int
    /// The total number of ticks, including those before `first`.
    public var count: Int
    /// The settings to change before a tick, by the number of the tick.
    public var ramp: [Int: [CameraSettingChange]]
    /// The time of tick `first`, in nanoseconds of CLOCK_BOOTTIME, for an operation that continues after a
    /// restart. After a restart of the computer, CLOCK_BOOTTIME cannot represent tick 0. `nil` if `epochNs`
    /// is valid.
    public var firstNs: UInt64?
    /// The number of photos taken before this request. The progress includes them. `nil` for a new operation.
    public var shot: Int?
    /// The setting changes that failed before this request. The progress includes them. `nil` for a new
    /// operation.
    public var failedChanges: FailedSettingChanges?

    /// Creates a request.
    public init(
        epochNs: UInt64, periodMs: Int, first: Int = 0, count: Int,
        ramp: [Int: [CameraSettingChange]] = [:]
    ) {
        self.epochNs = epochNs
        self.periodMs = periodMs
        self.first = first
        self.count = count
        self.ramp = ramp
    }

    /// Returns the time of a tick, in nanoseconds of CLOCK_BOOTTIME.
    public func due(_ tick: Int) -> UInt64 {
        let periodNs = UInt64(periodMs) * 1_000_000
        guard let firstNs else { return epochNs + UInt64(tick) * periodNs }
        return firstNs + UInt64(max(0, tick - first)) * periodNs
    }

    /// Returns the last tick up to `last` at which `ramp` makes the change.
    ///
    /// - Returns: The tick, or `last` if no tick up to `last` makes the change.
    public func tick(of change: CameraSettingChange, through last: Int) -> Int {
        ramp.filter { $0.key <= last && $0.value.contains(change) }.keys.max() ?? last
    }
}

/// A request for photos at several exposures.
public struct BracketCommand: Codable, Hashable, Sendable {
    /// The range of the number of photos.
    public static let countRange = 1...99
    /// The range of the difference from the current exposure, in stops.
    public static let stopsRange = -10.0...10.0
    /// The difference of each photo from the current exposure, in stops; positive is brighter.
    public var stops: [Double]

    /// Creates a request.
    public init(stops: [Double]) { self.stops = stops }
}

/// A request for photos at several focus positions, from near to far or from far to near.
public struct FocusStackCommand: Codable, Hashable, Sendable {
    /// The range of the number of photos.
    public static let countRange = 1...999
    /// The number of photos.
    public var count: Int
    /// The focus step between two photos.
    public var step: FocusStep

    /// Creates a request.
    public init(count: Int, step: FocusStep) {
        self.count = count
        self.step = step
    }
}

/// A relative movement of the focus. Cameras do not report the focus position.
public struct FocusStep: Codable, Hashable, Sendable {
    /// The range of the number of steps.
    public static let countRange = 1...999
    /// The size of a step. The maker defines the three sizes.
    public typealias Size = FocusStepSize

    /// Whether the focus moves towards the far end.
    public var isFar: Bool
    /// The number of steps.
    public var count: Int
    /// The size of a step.
    public var size: Size

    /// Creates a step.
    public init(isFar: Bool, count: Int = 1, size: Size = .medium) {
        self.isFar = isFar
        self.count = count
        self.size = size
    }
}

/// A command for the focus.
public enum FocusCommand: Codable, Hashable, Sendable {
    /// Starts autofocus.
    case auto
    /// Moves the focus.
    case drive(FocusStep)
    /// Stops autofocus.
    case cancel
}

/// A request for a movie.
public struct MovieCommand: Codable, Hashable, Sendable {
    /// The range of the length, in milliseconds.
    public static let rangeMs = 1...86_400_000
    /// The length, in milliseconds, or `nil` to record until a person stops the movie.
    public var durationMs: Int?

    /// Creates a request.
    public init(durationMs: Int? = nil) { self.durationMs = durationMs }
}

/// A request for one photo at a given time.
public struct ReleaseCommand: Codable, Hashable, Sendable {
    /// The longest delay of the release, in milliseconds. A later photo would not show the same moment as the
    /// photos of the other cameras.
    public static let latestMs = IntervalCommand.periodRangeMs.lowerBound
    /// The time of the release, in nanoseconds of CLOCK_BOOTTIME. All processes of a computer share this
    /// clock.
    public var atNs: UInt64

    /// Creates a request.
    public init(atNs: UInt64) { self.atNs = atNs }

    /// The request as an interval with one photo.
    public var interval: IntervalCommand {
        IntervalCommand(epochNs: atNs, periodMs: Self.latestMs, count: 1)
    }
}

/// A request for a live-view frame.
public struct LiveFrameCommand: Codable, Hashable, Sendable {
    /// The size, as a value of ``CameraSettingKey/liveViewSize``, or `nil` for the camera's current size. The
    /// worker applies the size when live view starts.
    public var size: String?

    /// Creates a request.
    public init(size: String? = nil) { self.size = size }
}
