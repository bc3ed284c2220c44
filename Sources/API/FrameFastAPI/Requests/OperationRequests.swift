/// `POST /v1/cameras/{id}/bulb`: hold the shutter open.
public struct BulbRequest: WireRequest {
    /// Longest exposure, in seconds: a day, more than any battery lasts.
    public static let secondsMax = 86_400.0

    /// How long, in seconds.
    public var seconds: Double

    /// Creates a request.
    public init(seconds: Double) { self.seconds = seconds }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard seconds >= 0.001, seconds <= Self.secondsMax else {
            throw ControlError(
                .invalid, "cannot expose for \(seconds) s", nextStep: "Give a time from 1 ms to a day.")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/interval`: photos at even distances.
public struct IntervalRequest: WireRequest {
    /// Distances that are taken, in milliseconds.
    public static let everyRangeMs = 100...86_400_000
    /// Photos of one interval.
    public static let countRange = 1...1_000_000
    /// Changes of settings on the way: what the body of a request has room for.
    public static let rampMax = 200

    /// Settings that are changed before a photo.
    public struct RampStep: WireValue {
        /// Number of the photo, from 1.
        public var photo: Int
        /// Values by key, or by `raw.NAME` for a name of the driver's.
        public var settings: [String: String]

        /// Creates a step.
        public init(photo: Int, settings: [String: String]) {
            self.photo = photo
            self.settings = settings
        }
    }

    /// Distance of two photos, in milliseconds.
    public var everyMs: Int
    /// How many.
    public var count: Int
    /// Settings that are changed on the way; none when left out.
    public var ramp: [RampStep]?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.everyMs,
                range: Int64(everyRangeMs.lowerBound)...Int64(everyRangeMs.upperBound)),
            .init(CodingKeys.count, range: Int64(countRange.lowerBound)...Int64(countRange.upperBound)),
            .init(CodingKeys.ramp, "Settings to change on the way", count: 0...rampMax),
        ]
    }

    /// Creates a request.
    public init(everyMs: Int, count: Int, ramp: [RampStep]? = nil) {
        self.everyMs = everyMs
        self.count = count
        self.ramp = ramp
    }

    /// The request, when it is within bounds.
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
                .invalid, "cannot change settings on the way like this",
                nextStep: "Give each photo from 1 to \(count) once, and at most \(Self.rampMax) of them.")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/bracket`: photos at several exposures.
public struct BracketRequest: WireRequest {
    /// Photos of one bracket.
    public static let countRange = 1...99
    /// Farthest from the exposure that is set, in stops.
    public static let stopsMax = 10.0

    /// For each photo how far it is from the exposure that is set now, in stops; positive is brighter.
    public var stops: [Double]

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.stops, "For each photo; positive is brighter", count: countRange)]
    }

    /// Creates a request.
    public init(stops: [Double]) { self.stops = stops }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard Self.countRange.contains(stops.count), stops.allSatisfy({ abs($0) <= Self.stopsMax }) else {
            throw ControlError(
                .invalid, "cannot take a bracket like this",
                nextStep: "Give 1 to \(Self.countRange.upperBound) exposures within 10 stops: -1, 0, 1.")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/stack`: photos at several places of the focus, from where it is now.
public struct FocusStackRequest: WireRequest {
    /// Photos of one stack.
    public static let countRange = 1...999

    /// How many.
    public var count: Int
    /// How far the focus is moved between two of them.
    public var move: FocusRequest

    /// Creates a request.
    public init(count: Int, move: FocusRequest) {
        self.count = count
        self.move = move
    }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard Self.countRange.contains(count), [.near, .far].contains(move.what) else {
            throw ControlError(
                .invalid, "cannot take a focus stack like this",
                nextStep: "Give 1 to \(Self.countRange.upperBound) photos, near or far.")
        }
        return Self(count: count, move: try move.checked())
    }
}

/// `POST /v1/cameras/{id}/focus`: find or move the focus.
public struct FocusRequest: WireRequest {
    /// What to do.
    public struct What: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The camera finds it.
        public static let auto = Self(rawValue: "auto")
        /// Towards the camera.
        public static let near = Self(rawValue: "near")
        /// Away from it.
        public static let far = Self(rawValue: "far")
        /// The camera stops looking for it.
        public static let cancel = Self(rawValue: "cancel")
        /// Every word of this build.
        public static let all = [auto, near, far, cancel]
    }

    /// How far one step is.
    public struct Size: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The smallest that the camera has.
        public static let small = Self(rawValue: "small")
        /// Between the two.
        public static let medium = Self(rawValue: "medium")
        /// The largest that the camera has.
        public static let large = Self(rawValue: "large")
        /// Every word of this build.
        public static let all = [small, medium, large]
    }

    /// Steps of one request.
    public static let stepsRange = 1...999

    /// What to do.
    public var what: What
    /// How many steps; 1 when left out.
    public var steps: Int?
    /// How far one is; medium when left out.
    public var size: Size?

    /// Creates a request.
    public init(what: What, steps: Int? = nil, size: Size? = nil) {
        self.what = what
        self.steps = steps
        self.size = size
    }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard What.all.contains(what) else {
            throw ControlError(.invalid, "cannot focus '\(what)'", nextStep: What.choice)
        }
        guard size.map(Size.all.contains) ?? true else {
            throw ControlError(
                .invalid, "cannot move the focus by '\(size?.rawValue ?? "")'", nextStep: Size.choice)
        }
        guard Self.stepsRange.contains(steps ?? 1) else {
            throw ControlError(
                .invalid, "cannot move the focus by \(steps ?? 0) steps",
                nextStep: "Give 1 to \(Self.stepsRange.upperBound).")
        }
        return self
    }
}

/// `POST /v1/cameras/{id}/movie`: record a movie.
public struct MovieRequest: WireRequest {
    /// After how long it ends by itself, in seconds; when somebody stops it, when left out.
    public var seconds: Double?

    /// Creates a request.
    public init(seconds: Double? = nil) { self.seconds = seconds }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard let seconds else { return self }
        _ = try BulbRequest(seconds: seconds).checked()
        return self
    }
}
