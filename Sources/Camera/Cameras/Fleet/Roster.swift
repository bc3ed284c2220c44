import FrameFastModel

/// The stored camera records, and the names in use.
struct Roster {
    private var records: [CameraID: RosterRecord] = [:]
    /// The names of records that are being stored. Two cameras that connect at the same time therefore never
    /// get the same name.
    private var reservedNames: Set<String> = []

    /// Adds the stored records. Keeps the records of other cameras, which a user may already have added.
    mutating func load(_ remembered: [RosterRecord]) {
        for record in remembered { records[record.id] = record }
    }

    /// All records.
    var all: [RosterRecord] { Array(records.values) }

    subscript(id: CameraID) -> RosterRecord? { records[id] }

    /// Returns whether a name is in use or being stored.
    func isTaken(_ name: String) -> Bool {
        reservedNames.contains(name) || records.values.contains { $0.name == name }
    }

    /// Reserves the name of a record while it is being stored.
    mutating func reserveName(of record: RosterRecord) { reservedNames.insert(record.name) }

    /// Releases the name of a record that could not be stored.
    mutating func releaseName(of record: RosterRecord) { reservedNames.remove(record.name) }

    /// Adds a stored record.
    mutating func store(_ record: RosterRecord) {
        reservedNames.remove(record.name)
        records[record.id] = record
    }

    /// Removes a camera.
    mutating func forget(_ id: CameraID) { records[id] = nil }

    /// Returns the disconnected camera of this maker with this serial number. Never returns a connected
    /// camera, even if it reports the same serial number.
    func camera(maker: String, serial: String, isAway: (CameraID) -> Bool) -> CameraID? {
        guard CameraBodies.meaningful(serial) != nil else { return nil }
        return records.values.first { $0.serial == serial && $0.maker == maker && isAway($0.id) }?.id
    }
}
