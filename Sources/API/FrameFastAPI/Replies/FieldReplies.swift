public import FoundationEssentials

/// A field as it stands for the next photos.
public struct FieldReply: WireValue {
    /// Its name.
    public var name: FieldName
    /// What the next photos are given.
    public var text: String
    /// The one camera whose photos are given it; `nil` for all cameras that have none of their own.
    @OrNull public var camera: CameraID?
    /// Shots of the session that have it.
    public var shots: Int
    /// When it was set.
    public var at: Date

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Id of the one camera that it stands for; null for all cameras"),
            .init(CodingKeys.shots, "Shots of the session that have it"),
        ]
    }

    /// Creates a reply.
    public init(
        name: FieldName, text: String, camera: CameraID? = nil, shots: Int = 0, at: Date
    ) {
        self.name = name
        self.text = text
        self._camera = OrNull(wrappedValue: camera)
        self.shots = shots
        self.at = at
    }
}

/// `GET /v1/fields`: what the next photos are given.
public struct FieldsReply: WireValue {
    /// The running session; `nil` when none is running, and then there are no fields.
    @OrNull public var session: SessionID?
    /// Its fields, by camera and name.
    public var fields: [FieldReply]
    /// The list that they are walked through; `nil` without one.
    @OrNull public var list: FieldListReply?
    /// The fields that a change took away or gave another text, as they were. `nil` but in the answer to a change.
    @OrNull public var before: [FieldReply]?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.before,
                "What a change took away or gave another text; null but in the answer to it")
        ]
    }

    /// Creates a reply.
    public init(
        session: SessionID? = nil, fields: [FieldReply] = [], list: FieldListReply? = nil,
        before: [FieldReply]? = nil
    ) {
        self._session = OrNull(wrappedValue: session)
        self.fields = fields
        self._list = OrNull(wrappedValue: list)
        self._before = OrNull(wrappedValue: before)
    }
}

/// How far a list is.
public struct FieldListReply: WireValue {
    /// The fields that its columns set; the first one tells rows apart.
    public var columns: [FieldName]
    /// How many rows it has.
    public var rows: Int
    /// Rows of which no photo was taken.
    public var missing: Int
    /// The row that stands for all cameras, and for those with one of their own.
    public var places: [Place]

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.missing, "Rows of which no photo was taken")]
    }

    /// Creates a reply.
    public init(columns: [FieldName], rows: Int, missing: Int, places: [Place]) {
        self.columns = columns
        self.rows = rows
        self.missing = missing
        self.places = places
    }

    /// A row that stands.
    public struct Place: WireValue {
        /// The one camera that it stands for; `nil` for all.
        @OrNull public var camera: CameraID?
        /// Its number, from 1.
        public var number: Int

        /// Creates a place.
        public init(camera: CameraID? = nil, number: Int) {
            self._camera = OrNull(wrappedValue: camera)
            self.number = number
        }
    }
}

/// `GET /v1/fields/rows`: the rows of the session's list.
public struct FieldRowsReply: WireValue {
    /// The fields that its columns set.
    public var columns: [FieldName]
    /// The rows that were asked for, in the list's order.
    public var rows: [Row]

    /// Creates a reply.
    public init(columns: [FieldName], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// One row.
    public struct Row: WireValue {
        /// Its number, from 1.
        public var number: Int
        /// A text for each column; empty for a field that it does not set.
        public var texts: [String]
        /// Shots of the session that have the text of its first column.
        public var shots: Int

        /// What the document says of its fields.
        public static var fields: [WireField] {
            [.init(CodingKeys.shots, "Shots of the session that have the text of its first column")]
        }

        /// Creates a row.
        public init(number: Int, texts: [String], shots: Int) {
            self.number = number
            self.texts = texts
            self.shots = shots
        }
    }
}
