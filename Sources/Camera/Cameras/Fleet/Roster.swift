import FrameFastModel

/// The cameras that are remembered, and the names that are taken.
struct Roster {
    private var records: [CameraID: RosterRecord] = [:]
    /// Names that are being written down now: two cameras that are met at once must not both take one.
    private var promisedNames: Set<String> = []

    /// Takes in what was remembered before. Somebody may have asked for another camera meanwhile: that one stays.
    mutating func load(_ remembered: [RosterRecord]) {
        for record in remembered { records[record.id] = record }
    }

    /// Every camera that is remembered.
    var all: [RosterRecord] { Array(records.values) }

    subscript(id: CameraID) -> RosterRecord? { records[id] }

    /// Whether a name is remembered, or about to be.
    func isTaken(_ name: String) -> Bool {
        promisedNames.contains(name) || records.values.contains { $0.name == name }
    }

    /// A record is written down now: until that is done nobody else gets its name.
    mutating func promise(_ record: RosterRecord) { promisedNames.insert(record.name) }

    /// It could not be written down.
    mutating func withdraw(_ record: RosterRecord) { promisedNames.remove(record.name) }

    /// It is written down.
    mutating func keep(_ record: RosterRecord) {
        promisedNames.remove(record.name)
        records[record.id] = record
    }

    /// A camera is not remembered any more.
    mutating func forget(_ id: CameraID) { records[id] = nil }

    /// The camera of this maker and serial number that is away: one that is connected is not the one that answers
    /// elsewhere, whatever number both give.
    func camera(maker: String, serial: String, isAway: (CameraID) -> Bool) -> CameraID? {
        guard CameraBodies.meaningful(serial) != nil else { return nil }
        return records.values.first { $0.serial == serial && $0.maker == maker && isAway($0.id) }?.id
    }
}
