import FrameFastModel
import Testing

/// Tests of the identification of connecting cameras by serial number, photos and port.
@Suite struct CameraBodiesTests {
    static func body(_ serial: String, at place: String, id: CameraID? = nil, model: String = "EOS R5")
        -> CameraBodies.ConnectingCamera
    {
        .init(
            maker: "Canon Inc.", model: model, serial: serial, place: place,
            id: id ?? CameraID(rawValue: "camera-\(place)"))
    }

    /// Serial numbers that several cameras may report.
    static let shared = ["12345678", "00000000000000", "", "000-000"]

    @Test func `a unique serial number identifies a camera at each port`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("77", at: "1-1"))
        #expect(first == "canon-77")
        bodies.disconnect(first)
        #expect(!bodies.needsEvidence(Self.body("77", at: "2-1")))
        #expect(bodies.connect(Self.body("77", at: "2-1")) == first)
    }

    @Test(arguments: shared)
    func `cameras connected at the same time get different identities`(serial: String) {
        var bodies = CameraBodies()
        let identities = (1...4).map { bodies.connect(Self.body(serial, at: "1-\($0)")) }
        #expect(Set(identities).count == 4)
        #expect(bodies.sharedSerials == [["camera-1-1", "camera-1-2", "camera-1-3", "camera-1-4"]])
    }

    @Test(arguments: shared)
    func `cameras keep their identities after a restart in any order`(serial: String) {
        var before = CameraBodies()
        let places = (1...4).map { "1-\($0)" }
        let identities = Dictionary(
            uniqueKeysWithValues: places.map { ($0, before.connect(Self.body(serial, at: $0))) })
        for order in [places.reversed(), [places[2], places[0], places[3], places[1]]] {
            var after = CameraBodies()
            for (place, identity) in identities { after.addKnownBody(identity, Self.body(serial, at: place)) }
            for place in order {
                #expect(after.connect(Self.body(serial, at: place)) == identities[place])
            }
        }
    }

    @Test(arguments: shared)
    func `identifies swapped cameras by the photos on their cards`(serial: String) {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        let second = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(first)
        bodies.disconnect(second)
        let swapped = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.needsEvidence(swapped))
        #expect(bodies.connect(swapped, evidence: [first: 0, second: 20]) == second)
        #expect(bodies.connect(Self.body(serial, at: "1-2", id: "b"), evidence: [first: 3]) == first)
    }

    @Test(arguments: shared)
    func `the only candidate at the same port still needs evidence`(serial: String) {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        _ = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(first)
        let candidate = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.candidates(candidate) == [first])
        #expect(bodies.needsEvidence(candidate))
        #expect(bodies.connect(candidate, others: [first]) != first)
    }

    @Test func `without matching photos, the port identifies a known body`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("5", at: "1-1"))
        let second = bodies.connect(Self.body("5", at: "1-2"))
        bodies.disconnect(first)
        bodies.disconnect(second)
        #expect(bodies.connect(Self.body("5", at: "1-2"), evidence: [first: 0, second: 0]) == second)
        let newBody = bodies.connect(Self.body("5", at: "9-9"))
        #expect(![first, second].contains(newBody))
    }

    @Test func `a new body never gets the identity of a connected body`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("5", at: "1-1"))
        let second = bodies.connect(Self.body("5", at: "1-2"), evidence: [first: 20])
        #expect(first != second)
    }

    @Test func `only connected cameras are reported as sharing a serial number`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("5", at: "1-1"))
        _ = bodies.connect(Self.body("6", at: "1-2"))
        #expect(bodies.sharedSerials.isEmpty)
        let second = bodies.connect(Self.body("5", at: "1-3"))
        #expect(bodies.sharedSerials == [["camera-1-1", "camera-1-3"]])
        bodies.disconnect(second)
        #expect(bodies.sharedSerials.isEmpty)
        #expect(first == "canon-5")
    }

    @Test func `different models without serial numbers get different identities`() {
        var bodies = CameraBodies()
        let first = bodies.connect(Self.body("", at: "1-1", id: "a", model: "EOS R5"))
        bodies.disconnect(first)
        #expect(!bodies.needsEvidence(Self.body("", at: "1-1", id: "b", model: "EOS R3")))
        #expect(bodies.connect(Self.body("", at: "1-1", id: "b", model: "EOS R3")) == "b")
    }
}
