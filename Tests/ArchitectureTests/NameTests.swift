import TestRig
import Testing

/// Tests that two modules do not declare types of the same name.
@Suite(.blocking) struct NameTests {
    /// Names that two modules declare, and the reason.
    private static let shared: [String: String] = [
        "Maker": "the simulator shares no module with the service",
        "CardObject": "the simulator's card is the counterpart of the driver's",
        "PTPEvent": "the simulator implements the other side of the protocol with its own code",
        "PTPOperation":
            "the simulator implements the other side of the protocol with its own code",
        "PTPRequest": "the simulator implements the other side of the protocol with its own code",
        "PTPResponse": "the simulator implements the other side of the protocol with its own code",
        "USBDevice": "the simulator's device is the counterpart of the driver's",
        "FoundCamera": "to do: rename one type: a camera on the network, or a camera at a driver's port",
        "WorkerProgram": "to do: rename one type: the program, or the location of the program",
    ]

    @Test func `modules share a type's name only with a reason`() throws {
        let declaration = try LinePattern(Self.declaration)
        var modules: [String: Set<String>] = [:]
        for file in try SourceFile.all(under: "Sources") {
            for name in declaration.texts(ofGroup: 4, in: file.text) {
                modules[name, default: []].insert(file.layer + "/" + file.module)
            }
        }
        #expect(modules.count > 500)
        let twice = modules.filter { $0.value.count > 1 }
        for (name, places) in twice.sorted(by: { $0.key < $1.key }) {
            #expect(Self.shared[name] != nil, "\(name): \(places.sorted().joined(separator: ", "))")
        }
        #expect(Set(Self.shared.keys).subtracting(twice.keys).isEmpty, "an exception without a duplicate")
    }

    /// A pattern for a type at the top level of a file that is not private to the file. The fourth group is
    /// the type's name.
    private static let declaration =
        #"^((public|package|internal|final|indirect|nonisolated) )*"#
        + #"(struct|class|enum|actor|protocol|typealias) (\w+)"#
}
