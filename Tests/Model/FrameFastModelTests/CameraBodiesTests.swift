import FrameFastModel
import Testing

/// The identification of connecting cameras: cameras that are connected at the same time are different, and
/// each keeps its identity.
@Suite struct CameraBodiesTests {
    static func body(_ serial: String, at place: String, id: CameraID? = nil, model: String = "EOS R5")
        -> CameraBodies.ConnectingCamera
    {
        .init(
            maker: "Canon Inc.", model: model, serial: serial, place: place,
            id: id ?? CameraID(rawValue: "camera-\(place)"))
    }

    /// Serial numbers that do not identify a camera.
    static let shared = ["12345678", "00000000000000", "", "000-000"]

    @Test func `a camera with a unique serial number keeps its identity everywhere`() {
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
        let one = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        let other = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(one)
        bodies.disconnect(other)
        let swapped = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.needsEvidence(swapped))
        #expect(bodies.connect(swapped, evidence: [one: 0, other: 20]) == other)
        #expect(bodies.connect(Self.body(serial, at: "1-2", id: "b"), evidence: [one: 3]) == one)
    }

    @Test(arguments: shared)
    func `a lone candidate at the same port still needs evidence`(serial: String) {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body(serial, at: "1-1", id: "a"))
        _ = bodies.connect(Self.body(serial, at: "1-2", id: "b"))
        bodies.disconnect(one)
        let candidate = Self.body(serial, at: "1-1", id: "a")
        #expect(bodies.candidates(candidate) == [one])
        #expect(bodies.needsEvidence(candidate))
        #expect(bodies.connect(candidate, others: [one]) != one)
    }

    @Test func `without card evidence the port decides, or the body is new`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        let other = bodies.connect(Self.body("5", at: "1-2"))
        bodies.disconnect(one)
        bodies.disconnect(other)
        #expect(bodies.connect(Self.body("5", at: "1-2"), evidence: [one: 0, other: 0]) == other)
        let newBody = bodies.connect(Self.body("5", at: "9-9"))
        #expect(![one, other].contains(newBody))
    }

    @Test func `a new body never gets the identity of a connected one`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        let other = bodies.connect(Self.body("5", at: "1-2"), evidence: [one: 20])
        #expect(one != other)
    }

    @Test func `only connected cameras are reported as sharing a serial number`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("5", at: "1-1"))
        _ = bodies.connect(Self.body("6", at: "1-2"))
        #expect(bodies.sharedSerials.isEmpty)
        let other = bodies.connect(Self.body("5", at: "1-3"))
        #expect(bodies.sharedSerials == [["camera-1-1", "camera-1-3"]])
        bodies.disconnect(other)
        #expect(bodies.sharedSerials.isEmpty)
        #expect(one == "canon-5")
    }

    @Test func `different models without serial numbers get different identities`() {
        var bodies = CameraBodies()
        let one = bodies.connect(Self.body("", at: "1-1", id: "a", model: "EOS R5"))
        bodies.disconnect(one)
        #expect(!bodies.needsEvidence(Self.body("", at: "1-1", id: "b", model: "EOS R3")))
        #expect(bodies.connect(Self.body("", at: "1-1", id: "b", model: "EOS R3")) == "b")
    }
}
