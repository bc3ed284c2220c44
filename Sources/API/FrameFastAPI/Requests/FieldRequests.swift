/// `PATCH /v1/fields`: changes what the next photos are given.
public struct FieldsChangeRequest: WireRequest {
    /// Texts by name: these are set.
    public var set: [String: String]?
    /// Names: these are not set any more.
    public var clear: [FieldName]?
    /// The one camera whose photos are meant; all when left out.
    public var camera: CameraReference?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.set, "Texts by name: {\"job\": \"4711\"}"),
            .init(
                CodingKeys.clear, "Names of fields that are not set any more", count: 0...FieldName.countMax),
            .init(CodingKeys.camera, "The one camera whose photos are meant; all when left out"),
        ]
    }

    /// Creates a request.
    public init(set: [String: String]? = nil, clear: [FieldName]? = nil, camera: CameraReference? = nil) {
        self.set = set
        self.clear = clear
        self.camera = camera
    }

    /// The request with its texts trimmed, when it changes something that may be.
    public func checked() throws(ControlError) -> Self {
        guard set?.isEmpty == false || clear?.isEmpty == false else {
            throw ControlError(
                .invalid, "cannot change fields without knowing which",
                nextStep: "For example {\"set\":{\"job\":\"4711\"}}.")
        }
        var request = self
        request.set = try set.map(FieldName.checked)
        guard clear.map({ $0.count <= FieldName.countMax }) ?? true else {
            throw ControlError(.invalid, "cannot clear more than \(FieldName.countMax) fields at a time")
        }
        for name in clear ?? [] { _ = try FieldName.checked(name: name.rawValue) }
        return request
    }
}

extension FieldName {
    /// The name, when it is one.
    public static func checked(name: String) throws(ControlError) -> FieldName {
        guard let name = FieldName(given: name) else {
            throw ControlError(
                .invalid, "cannot call a field '\(name)'", nextStep: "A name has \(FieldName.rule).")
        }
        return name
    }

    /// A text without the spaces around it, when a field may have it.
    public static func checked(text: String, of name: FieldName) throws(ControlError) -> String {
        let trimmed = text.trimmingCharacters { $0.isWhitespace }
        guard trimmed.count <= textLengthMax else {
            throw ControlError(
                .invalid,
                "cannot set \(name) to \(trimmed.count) characters: at most \(textLengthMax) are taken")
        }
        let isPlain = trimmed.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        guard isPlain else {
            throw ControlError(.invalid, "cannot set \(name) to a text with control characters")
        }
        return trimmed
    }

    /// Texts by name, trimmed, when fields may be called so and have them.
    public static func checked(_ texts: [String: String]) throws(ControlError) -> [String: String] {
        guard texts.count <= countMax else {
            throw ControlError(.invalid, "cannot set \(texts.count) fields: at most \(countMax) are taken")
        }
        var checked: [String: String] = [:]
        for (key, text) in texts {
            let name = try Self.checked(name: key)
            let trimmed = try Self.checked(text: text, of: name)
            guard !trimmed.isEmpty else {
                throw ControlError(
                    .invalid, "cannot set \(name) to an empty text",
                    nextStep: "Clear it with 'framefast field clear \(name)'.")
            }
            checked[key] = trimmed
        }
        return checked
    }
}

/// `PUT /v1/fields/list`: gives the session a list that its fields are walked through.
public struct FieldListRequest: WireRequest {
    /// Longest table in characters: two thousand rows of a name, a class and a number are a sixth of it.
    public static let tableLengthMax = 512 * 1024
    /// Most rows: four times the pupils of a large school.
    public static let rowsMax = 4_000

    /// The table as CSV: its first line names fields, and each other line has a text for each of them.
    public var table: String

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.table,
                "CSV, with commas, semicolons or tabs: the first line names fields, the first column tells rows apart",
                length: 1...tableLengthMax)
        ]
    }

    /// Creates a request.
    public init(table: String) { self.table = table }
}

/// `POST /v1/fields/step`: goes to a row of the session's list.
public struct FieldStepRequest: WireRequest {
    /// Which way to go from the row that stands; left out when a code is given.
    public var move: Move?
    /// What is in the first column of the row to go to.
    public var code: String?
    /// The one camera whose photos are meant; all when left out.
    public var camera: CameraReference?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.code, "What is in the first column of the row to go to"),
            .init(CodingKeys.camera, "The one camera whose photos are meant; all when left out"),
        ]
    }

    /// Creates a request.
    public init(move: Move? = nil, code: String? = nil, camera: CameraReference? = nil) {
        self.move = move
        self.code = code
        self.camera = camera
    }

    /// The request with its code trimmed, when it says where to go.
    public func checked() throws(ControlError) -> Self {
        guard (move == nil) != (code == nil) else {
            throw ControlError(
                .invalid, "cannot go to a row without knowing which", nextStep: "Give a move, or a code.")
        }
        if let move, !Move.all.contains(move) {
            throw ControlError(.invalid, "cannot move '\(move)' in a list", nextStep: Move.choice)
        }
        var request = self
        request.code = code?.trimmingCharacters { $0.isWhitespace }
        return request
    }

    /// A way through a list.
    public struct Move: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// To the row after the one that stands; to the first when none does.
        public static let next = Self(rawValue: "next")
        /// To the row before it.
        public static let previous = Self(rawValue: "previous")

        /// Every word of this build.
        public static let all = [next, previous]
    }
}

/// Which rows of the session's list to show.
public struct FieldRowsQuery: WireRequest {
    /// Only rows of which no photo was taken.
    public var missing: Bool?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.missing, "True for only the rows of which no photo was taken")]
    }

    /// Creates a query.
    public init(missing: Bool? = nil) { self.missing = missing }
}
