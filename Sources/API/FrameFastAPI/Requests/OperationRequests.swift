/// `POST /v1/cameras/{id}/bulb`: takes a long exposure.
public struct BulbRequest: WireRequest {
    /// The longest exposure, in seconds: a day, which is longer than any battery lasts.
    public static let secondsMax = 86_400.0

    /// The exposure time, in seconds.
    public var seconds: Double

    /// Creates a request.
    public init(seconds: Double) { self.seconds = seconds }

    /// Returns the request, or throws if a value is out of range.
    public func checked() throws(ControlError) -> Self {
        guard seconds >= 0.001, seconds <= Self.secondsMax else {
            throw ControlError(
                .invalid, "cannot expose for \(seconds) s", nextStep: "Give a time from 1 ms to a day.")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/interval`: takes photos at a fixed interval.
public struct IntervalRequest: WireRequest {
    /// The allowed times between two photos, in milliseconds.
    public static let everyRangeMs = 100...86_400_000
    /// The allowed number of photos.
    public static let countRange = 1...1_000_000
    /// The maximum number of ramp steps, limited by the size of a request body.
    public static let rampMax = 200

    /// Settings that the daemon changes before a photo.
    public struct RampStep: WireValue {
        /// The number of the photo, from 1.
        public var photo: Int
        /// The values by key. The key `raw.NAME` selects a setting by its driver name.
        public var settings: [String: String]

        /// Creates a step.
        public init(photo: Int, settings: [String: String]) {
            self.photo = photo
            self.settings = settings
        }
    }

    /// The time between two photos, in milliseconds.
    public var everyMs: Int
    /// The number of photos.
    public var count: Int
    /// The settings to change during the interval, or `nil` for none.
    public var ramp: [RampStep]?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.everyMs,
                range: Int64(everyRangeMs.lowerBound)...Int64(everyRangeMs.upperBound)),
            .init(CodingKeys.count, range: Int64(countRange.lowerBound)...Int64(countRange.upperBound)),
            .init(CodingKeys.ramp, "Settings to change during the interval", count: 0...rampMax),
        ]
    }

    /// Creates a request.
    public init(everyMs: Int, count: Int, ramp: [RampStep]? = nil) {
        self.everyMs = everyMs
        self.count = count
        self.ramp = ramp
    }

    /// Returns the request, or throws if a value is out of range.
    public func checked() throws(ControlError) -> Self {
        guard Self.everyRangeMs.contains(everyMs) else {
            throw ControlError(
                .invalid, "cannot take a photo every \(everyMs) ms", nextStep: "Give 100 ms to a day.")
        }
        guard Self.countRange.contains(count) else {
            throw ControlError(
                .invalid, "cannot take \(count) photos", nextStep: "Give 1 to \(Self.countRange.upperBound).")
        }
        let ramp = ramp ?? []
        guard ramp.count <= Self.rampMax, ramp.allSatisfy({ (1...count).contains($0.photo) }),
            Set(ramp.map(\.photo)).count == ramp.count
        else {
            throw ControlError(
                .invalid, "cannot use these ramp steps",
                nextStep: "Give at most \(Self.rampMax) steps, each for a different photo from 1 to \(count)."
            )
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/bracket`: takes photos at several exposures.
public struct BracketRequest: WireRequest {
    /// The allowed number of photos.
    public static let countRange = 1...99
    /// The largest difference from the current exposure, in stops.
    public static let stopsMax = 10.0

    /// The difference of each photo from the current exposure, in stops. Positive is brighter.
    public var stops: [Double]

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.stops,
                "Difference from the current exposure for each photo, in stops. Positive is brighter",
                count: countRange)
        ]
    }

    /// Creates a request.
    public init(stops: [Double]) { self.stops = stops }

    /// Returns the request, or throws if a value is out of range.
    public func checked() throws(ControlError) -> Self {
        guard Self.countRange.contains(stops.count), stops.allSatisfy({ abs($0) <= Self.stopsMax }) else {
            throw ControlError(
                .invalid, "cannot take a bracket with these exposures",
                nextStep: "Give 1 to \(Self.countRange.upperBound) exposures within 10 stops: -1, 0, 1.")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/stack`: takes photos at several focus positions, starting at the current position.
public struct FocusStackRequest: WireRequest {
    /// The allowed number of photos.
    public static let countRange = 1...999

    /// The number of photos.
    public var count: Int
    /// The focus movement between two photos.
    public var move: FocusRequest

    /// Creates a request.
    public init(count: Int, move: FocusRequest) {
        self.count = count
        self.move = move
    }

    /// Returns the request, or throws if a value is out of range.
    public func checked() throws(ControlError) -> Self {
        guard Self.countRange.contains(count), [.near, .far].contains(move.action) else {
            throw ControlError(
                .invalid, "cannot take a focus stack with these values",
                nextStep: "Give 1 to \(Self.countRange.upperBound) photos, near or far.")
        }
        return Self(count: count, move: try move.checked())
    }
}

/// `POST /v1/cameras/{id}/focus`: focuses automatically, or moves the focus.
public struct FocusRequest: WireRequest {
    /// A focus action.
    public typealias Action = FocusAction

    /// The size of a focus step.
    public typealias Size = FocusStepSize

    /// The allowed number of steps.
    public static let stepsRange = 1...999

    /// The action.
    @Word public var action: Action?
    /// The number of steps, or `nil` for 1.
    public var steps: Int?
    /// The size of a step, or `nil` for medium.
    public var size: Word<Size>?

    private enum CodingKeys: String, CodingKey {
        case action = "what"
        case steps, size
    }

    /// Creates a request.
    public init(action: Action, steps: Int? = nil, size: Size? = nil) {
        self._action = Word(action)
        self.steps = steps
        self.size = size.map { Word($0) }
    }

    /// Returns the request, or throws if a value is unknown or out of range.
    public func checked() throws(ControlError) -> Self {
        guard action != nil else {
            throw ControlError(.invalid, "cannot focus '\($action)'", nextStep: Word<Action>.choice)
        }
        if let size, size.known == nil {
            throw ControlError(
                .invalid, "cannot move the focus by '\(size)'", nextStep: Word<Size>.choice)
        }
        guard Self.stepsRange.contains(steps ?? 1) else {
            throw ControlError(
                .invalid, "cannot move the focus by \(steps ?? 0) steps",
                nextStep: "Give 1 to \(Self.stepsRange.upperBound).")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/movie`: records a movie.
public struct MovieRequest: WireRequest {
    /// The duration, in seconds, or `nil` to record until a person stops the movie.
    public var seconds: Double?

    /// Creates a request.
    public init(seconds: Double? = nil) { self.seconds = seconds }

    /// Returns the request, or throws if the duration is out of range.
    public func checked() throws(ControlError) -> Self {
        guard let seconds else { return self }
        _ = try BulbRequest(seconds: seconds).checked()
        return self
    }
}
