/// A long-running operation of a camera, one at a time. The worker runs it by its own clock, independently of
/// the daemon.
public enum CameraOperation: Codable, Hashable, Sendable {
    /// A long exposure (bulb).
    case bulb(BulbOrder)
    /// Photos at a fixed interval.
    case interval(IntervalOrder)
    /// Photos at several exposures. The worker then restores the changed settings.
    case bracket(BracketOrder)
    /// Photos at several focus positions.
    case focusStack(FocusStackOrder)
    /// A movie.
    case movie(MovieOrder)
    /// One photo at a given time, together with other cameras.
    case release(ReleaseOrder)

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
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case bulb
        case interval
        case bracket
        case focusStack = "focus-stack"
        case movie
        /// A photo of the camera's group, at a given time.
        case release
        /// Live view. Every other operation stops it.
        case liveView = "live-view"
    }
}

/// An order for a long exposure.
public struct BulbOrder: Codable, Hashable, Sendable {
    /// The range of exposures, in milliseconds: up to a day, longer than any battery lasts.
    public static let rangeMs = 1...86_400_000
    /// The exposure time, in milliseconds from the camera's response to the command that opens the shutter.
    public var durationMs: Int

    /// Creates an order.
    public init(durationMs: Int) { self.durationMs = durationMs }
}

/// An order for photos at a fixed interval: tick `k` is at `epochNs + k · periodMs`, regardless of how long
/// earlier ticks took.
public struct IntervalOrder: Codable, Hashable, Sendable {
    /// The range of the interval between two ticks, in milliseconds.
    public static let periodRangeMs = 100...86_400_000
    /// The range of the number of ticks.
    public static let countRange = 1...1_000_000

    /// The time of tick 0, in nanoseconds of CLOCK_BOOTTIME, which includes the time that the computer
    /// sleeps. It identifies the interval among those of its camera.
    public var epochNs: UInt64
    /// The interval between two ticks, in milliseconds.
    public var periodMs: Int
    /// The first tick of this order. Earlier ticks were done or missed before it.
    public var first: Int
    /// The total number of ticks, including those before `first`.
    public var count: Int
    /// The settings to change before a tick, by the number of the tick.
    public var ramp: [Int: [CameraSettingChange]]
    /// The time of tick `first`, in nanoseconds of CLOCK_BOOTTIME, for an interval that continues: tick 0 may
    /// be before the computer's start. `nil` if `epochNs` is valid.
    public var firstNs: UInt64?
    /// The number of photos taken before this order, to which its own are added; `nil` for none.
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

    /// Returns the time of a tick, in nanoseconds of CLOCK_BOOTTIME.
    public func due(_ tick: Int) -> UInt64 {
        let periodNs = UInt64(periodMs) * 1_000_000
        guard let firstNs else { return epochNs + UInt64(tick) * periodNs }
        return firstNs + UInt64(max(0, tick - first)) * periodNs
    }
}

/// An order for photos at several exposures.
public struct BracketOrder: Codable, Hashable, Sendable {
    /// The range of the number of photos.
    public static let countRange = 1...99
    /// The range of the difference from the current exposure, in stops.
    public static let stopsRange = -10.0...10.0
    /// The difference of each photo from the current exposure, in stops; positive is brighter.
    public var stops: [Double]

    /// Creates an order.
    public init(stops: [Double]) { self.stops = stops }
}

/// An order for photos at several focus positions, from near to far or from far to near.
public struct FocusStackOrder: Codable, Hashable, Sendable {
    /// The range of the number of photos.
    public static let countRange = 1...999
    /// The number of photos.
    public var count: Int
    /// The focus step between two photos.
    public var step: FocusStep

    /// Creates an order.
    public init(count: Int, step: FocusStep) {
        self.count = count
        self.step = step
    }
}

/// A movement of the focus. No maker reports the lens position, so movements are relative steps.
public struct FocusStep: Codable, Hashable, Sendable {
    /// The range of the number of steps.
    public static let countRange = 1...999
    /// The size of a step, in the makers' own three sizes.
    public enum Size: String, Codable, CaseIterable, CodingKeyRepresentable, Hashable, Sendable {
        case small
        case medium
        case large
    }

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
public enum FocusOrder: Codable, Hashable, Sendable {
    /// Starts autofocus.
    case auto
    /// Moves the focus.
    case drive(FocusStep)
    /// Stops autofocus.
    case cancel

    /// The words of the command line.
    public enum Word: String, CaseIterable, Hashable, Sendable {
        case auto
        /// Moves the focus towards the camera.
        case near
        /// Moves the focus away from the camera.
        case far
        case cancel
    }
}

/// An order for a movie.
public struct MovieOrder: Codable, Hashable, Sendable {
    /// The range of the length, in milliseconds.
    public static let rangeMs = 1...86_400_000
    /// The length, in milliseconds, or `nil` for a movie that a person stops.
    public var durationMs: Int?

    /// Creates an order.
    public init(durationMs: Int? = nil) { self.durationMs = durationMs }
}

/// An order for one photo at a given time.
public struct ReleaseOrder: Codable, Hashable, Sendable {
    /// The longest delay of the release after its time, in milliseconds. A later photo would not show the
    /// same moment as those of the other cameras.
    public static let latestMs = IntervalOrder.periodRangeMs.lowerBound
    /// The time of the release, in nanoseconds of CLOCK_BOOTTIME, which is the same in every process of a
    /// computer.
    public var atNs: UInt64

    /// Creates an order.
    public init(atNs: UInt64) { self.atNs = atNs }

    /// The order as an interval with one photo.
    public var interval: IntervalOrder {
        IntervalOrder(epochNs: atNs, periodMs: Self.latestMs, count: 1)
    }
}

/// A request for a live-view frame.
public struct LiveFrameOrder: Codable, Hashable, Sendable {
    /// The size, in the words of ``CameraSettingKey/liveViewSize``, or `nil` for the camera's own. Applied
    /// when live view starts.
    public var size: String?

    /// Creates an order.
    public init(size: String? = nil) { self.size = size }
}
