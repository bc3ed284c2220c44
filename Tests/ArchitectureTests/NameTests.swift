import TestRig
import Testing

/// A name is one thing: two rooms that declare a type of one name make their readers ask which is meant.
@Suite(.blocking) struct NameTests {
    /// Names that two rooms have, and why.
    private static let shared: [String: String] = [
        "Bell": "the simulator stands on nothing that the service stands on",
        "Maker": "the simulator stands on nothing that the service stands on",
        "CardObject": "the simulator's card is the other side of the driver's",
        "PTPEvent": "the simulator speaks the other side of the protocol, and must not share our mistakes",
        "PTPOperation":
            "the simulator speaks the other side of the protocol, and must not share our mistakes",
        "PTPRequest": "the simulator speaks the other side of the protocol, and must not share our mistakes",
        "PTPResponse": "the simulator speaks the other side of the protocol, and must not share our mistakes",
        "USBDevice": "the simulator's device is the other side of the bus",
        "CameraSession": "to be parted: the worker's session with the driver, the service's with the worker",
        "FoundCamera": "to be parted: on the network, on a port of the driver",
        "StopSignal": "to be parted: cameras and uploads each have one",
        "WorkerProgram": "to be parted: the program, and where it is",
    ]

    @Test func `no two rooms declare a type of one name without a reason`() throws {
        let declaration = try LinePattern(Self.declaration)
        var rooms: [String: Set<String>] = [:]
        for file in try SourceFile.all(under: "Sources") {
            for name in declaration.texts(ofGroup: 4, in: file.text) {
                rooms[name, default: []].insert(file.wing + "/" + file.room)
            }
        }
        #expect(rooms.count > 500)
        let twice = rooms.filter { $0.value.count > 1 }
        for (name, places) in twice.sorted(by: { $0.key < $1.key }) {
            #expect(Self.shared[name] != nil, "\(name): \(places.sorted().joined(separator: ", "))")
        }
        #expect(Set(Self.shared.keys).subtracting(twice.keys).isEmpty, "no longer declared twice")
    }

    /// A type at the top of a file, unless it is the file's own. The fourth group is its name.
    private static let declaration =
        #"^((public|package|internal|final|indirect|nonisolated) )*"#
        + #"(struct|class|enum|actor|protocol|typealias) (\w+)"#
}
