/// What a camera does for longer than a moment, one at a time. A worker carries it out by its own clock, so that it needs
/// nobody for its next step.
public enum CameraOperation: Codable, Hashable, Sendable {
    /// Hold the shutter open.
    case bulb(BulbOrder)
    /// Take a photo at each tick of a clock.
    case interval(IntervalOrder)
    /// Take a photo at each of some exposures, then set back what was changed.
    case bracket(BracketOrder)
    /// Take a photo at each of some places of the focus.
    case focusStack(FocusStackOrder)
    /// Record a movie.
    case movie(MovieOrder)
    /// Take one photo at a given time, together with other cameras.
    case release(ReleaseOrder)

    /// What kind it is.
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

    /// What keeps a camera busy.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case bulb
        case interval
        case bracket
        case focusStack = "focus-stack"
        case movie
        /// The camera waits for the time of a photo of its group.
        case release
        /// Frames are being asked for. Gives way to each of the others.
        case liveView = "live-view"
    }
}

/// A shutter that is held open.
public struct BulbOrder: Codable, Hashable, Sendable {
    /// Longest exposure, in milliseconds: a day, more than any battery lasts.
    public static let rangeMs = 1...86_400_000
    /// How long, in milliseconds from when the camera took the order to open.
    public var durationMs: Int

    /// Creates an order.
    public init(durationMs: Int) { self.durationMs = durationMs }
}

/// Photos at even distances: tick `k` is at `epochNs + k · periodMs`, whatever the ticks before it took.
public struct IntervalOrder: Codable, Hashable, Sendable {
    /// Distance of two ticks, in milliseconds.
    public static let periodRangeMs = 100...86_400_000
    /// Ticks of one order.
    public static let countRange = 1...1_000_000

    /// When tick 0 is, in nanoseconds of CLOCK_BOOTTIME, which counts on while the computer sleeps. Tells this interval from
    /// others of its camera.
    public var epochNs: UInt64
    /// Distance of two ticks, in milliseconds.
    public var periodMs: Int
    /// The first tick that is still to come: others were carried out, or missed, before this order.
    public var first: Int
    /// Ticks in all, those before `first` included.
    public var count: Int
    /// Settings to change before some ticks, by the number of the tick.
    public var ramp: [Int: [CameraSettingChange]]
    /// When tick `first` is, in nanoseconds of CLOCK_BOOTTIME, if the interval continues: tick 0 may have been before the
    /// computer's start. `nil` if `epochNs` tells.
    public var firstNs: UInt64?
    /// Photos that were taken before this order, which are counted on; `nil` for none.
    public var shot: Int?

    /// Creates an order.
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

    /// When a tick is, in nanoseconds of CLOCK_BOOTTIME.
    public func due(_ tick: Int) -> UInt64 {
        let periodNs = UInt64(periodMs) * 1_000_000
        guard let firstNs else { return epochNs + UInt64(tick) * periodNs }
        return firstNs + UInt64(max(0, tick - first)) * periodNs
    }
}

/// Photos at several exposures.
public struct BracketOrder: Codable, Hashable, Sendable {
    /// Photos of one bracket.
    public static let countRange = 1...99
    /// Distance from the exposure that is set, in stops.
    public static let stopsRange = -10.0...10.0
    /// For each photo how far it is from the exposure that is set now, in stops; positive is brighter.
    public var stops: [Double]

    /// Creates an order.
    public init(stops: [Double]) { self.stops = stops }
}

/// Photos at several places of the focus, nearest first or last.
public struct FocusStackOrder: Codable, Hashable, Sendable {
    /// Photos of one stack.
    public static let countRange = 1...999
    /// Photos to take.
    public var count: Int
    /// How far the focus is moved between two of them.
    public var step: FocusStep

    /// Creates an order.
    public init(count: Int, step: FocusStep) {
        self.count = count
        self.step = step
    }
}

/// How far to move the focus. No maker says where the lens is: steps are what can be said.
public struct FocusStep: Codable, Hashable, Sendable {
    /// Steps in one order.
    public static let countRange = 1...999
    /// How far one step is: the makers' own three sizes.
    public enum Size: String, Codable, CaseIterable, CodingKeyRepresentable, Hashable, Sendable {
        case small
        case medium
        case large
    }

    /// Whether towards the far end.
    public var isFar: Bool
    /// Number of steps.
    public var count: Int
    /// How far one step is.
    public var size: Size

    /// Creates a step.
    public init(isFar: Bool, count: Int = 1, size: Size = .medium) {
        self.isFar = isFar
        self.count = count
        self.size = size
    }
}

/// What to do with the focus.
public enum FocusOrder: Codable, Hashable, Sendable {
    /// Let the camera find it.
    case auto
    /// Move it.
    case drive(FocusStep)
    /// Stop looking for it.
    case cancel

    /// How people say it.
    public enum Word: String, CaseIterable, Hashable, Sendable {
        case auto
        /// Move it towards the camera.
        case near
        /// Move it away from the camera.
        case far
        case cancel
    }
}

/// A movie.
public struct MovieOrder: Codable, Hashable, Sendable {
    /// Longest movie, in milliseconds.
    public static let rangeMs = 1...86_400_000
    /// After how long it ends by itself, in milliseconds; `nil` when somebody ends it.
    public var durationMs: Int?

    /// Creates an order.
    public init(durationMs: Int? = nil) { self.durationMs = durationMs }
}

/// An order for one photo at a given time.
public struct ReleaseOrder: Codable, Hashable, Sendable {
    /// The latest release after its time, in milliseconds. A later photo would not show the same moment as those of the
    /// other cameras.
    public static let latestMs = IntervalOrder.periodRangeMs.lowerBound
    /// The time, in nanoseconds of CLOCK_BOOTTIME, which is the same in every process of a computer.
    public var atNs: UInt64

    /// Creates an order.
    public init(atNs: UInt64) { self.atNs = atNs }

    /// The same order as an interval of one photo.
    public var interval: IntervalOrder {
        IntervalOrder(epochNs: atNs, periodMs: Self.latestMs, count: 1)
    }
}

/// A frame of live view that somebody waits for.
public struct LiveFrameOrder: Codable, Hashable, Sendable {
    /// Size, by the words of ``CameraSettingKey/liveViewSize``; `nil` for the camera's own. Set when live view starts.
    public var size: String?

    /// Creates an order.
    public init(size: String? = nil) { self.size = size }
}
