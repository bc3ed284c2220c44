import Testing

@testable import CameraSimulator

@Suite struct FaultTests {
    @Test(arguments: [
        ("drop", Fault(.drop(afterBytes: nil))), ("drop:1MB", Fault(.drop(afterBytes: 1_000_000))),
        ("busy:3", Fault(.response(.deviceBusy), times: 3)),
        ("stall@shot 2", Fault(.stall(milliseconds: nil), .shot(2))),
        ("stall:500 @op 12", Fault(.stall(milliseconds: 500), .request(12))),
        ("access-denied@op 0x1008", Fault(.response(.accessDenied), .operation(0x1008))),
        ("size-small:5*always", Fault(.sizeSmall(bytes: 5), times: nil)),
        ("info-short*2", Fault(.shortInfo(bytes: 20), times: 2)),
        ("name:../../etc/x@shot 3", Fault(.name("../../etc/x"), .shot(3))),
        ("name:a*b@c", Fault(.name("a*b@c"))),
        ("ghost-event:0x1234", Fault(.ghostEvent(handle: 0x1234))),
    ])
    func `parses a fault as the help describes it`(spelling: String, fault: Fault) throws {
        #expect(try Fault(spelling: spelling) == fault)
    }

    @Test(arguments: ["", "nonsense", "drop:lots", "busy:0", "stall*0", "drop@somewhere 3"])
    func `refuses an unknown or malformed fault`(spelling: String) {
        #expect(throws: SimulatorError.self) { try Fault(spelling: spelling) }
    }

    @Test func `parses every fault name of the help`() throws {
        for (name, _) in Fault.spellings {
            let bare = name.split(separator: "[").first.map(String.init) ?? name
            let spelling = bare.replacing(":CODE", with: ":0x2009").replacing(":TEXT", with: ":x")
            #expect(throws: Never.self) { try Fault(spelling: spelling) }
        }
    }

    @Test func `a fault at a shot affects that shot once`() throws {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: "busy@shot 2"))
        let handles = try test.shoot(3)
        #expect(test.send(.getObject, handles[0]).response == .ok)
        #expect(test.send(.getObject, handles[1]).response == .deviceBusy)
        #expect(test.send(.getObject, handles[1]).response == .ok)
        #expect(test.send(.getObject, handles[2]).response == .ok)
    }

    @Test func `a request fault counts only requests after it was added`() throws {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: "general-error@op 2"))
        #expect(test.send(.getStorageIDs).response == .ok)
        #expect(test.send(.getStorageIDs).response == .generalError)
        #expect(test.send(.getStorageIDs).response == .ok)
    }

    @Test(arguments: [
        ("size-small:100", 39_900, 40_000), ("size-big:100", 40_100, 40_000), ("truncated:999", 999, 999),
        ("empty", 0, 0),
    ])
    func `a size fault changes the announced or the sent size`(spelling: String, announced: Int, bytes: Int)
        throws
    {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: spelling))
        let handle = try #require(try test.shoot().first)
        let info = try #require(test.send(.getObjectInfo, handle).data).bytes
        #expect(TestCamera.word(info, 8) == UInt32(announced))
        #expect(test.send(.getObject, handle).data?.count == bytes)
    }

    @Test(arguments: [
        ("truncated:999", [999, 40_000, 40_000]), ("truncated*2", [20_000, 20_000, 40_000]),
        ("truncated*always", [20_000, 20_000, 20_000]),
    ])
    func `a repeated fault changes each photo once`(spelling: String, sizes: [Int]) throws {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: spelling))
        var sent: [Int] = []
        for handle in try test.shoot(3) { sent.append(test.send(.getObject, handle).data?.count ?? 0) }
        #expect(sent == sizes)
    }

    @Test func `a bit flip affects one read and not the photo`() throws {
        var test = TestCamera()
        let handle = try #require(try test.shoot().first)
        test.camera.add(try Fault(spelling: "bit-flip:20000"))
        let first = test.send(.getPartialObject, handle, 0, 10_000).data?.bytes ?? []
        let wrong = test.send(.getPartialObject, handle, 10_000, 30_000).data?.bytes ?? []
        let right = test.send(.getObject, handle).data?.bytes ?? []
        #expect(first == Array(right[..<10_000]))
        #expect(zip(wrong, right[10_000...]).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [10_000])
    }

    @Test(arguments: [
        ("lost-event", 2), ("doubled-event", 4), ("ghost-event", 4), ("event-close", 3), ("event-garbage", 3),
    ])
    func `an event fault changes the events of a photo`(spelling: String, events: Int) throws {
        var test = TestCamera()
        try test.shoot()
        _ = test.camera.drainEvents()
        test.camera.add(try Fault(spelling: spelling))
        try test.shoot()
        let sent = test.camera.drainEvents()
        // The shot has two events: the photo, and "capture complete".
        #expect(sent.count == events - 1)
        #expect(sent.last == .event(code: 0x400D, parameters: []))
    }

    @Test(arguments: [
        ("drop:25000", UInt32(20_000), LinkFault?.some(.drop(afterBytes: 5000, isReset: false))),
        ("reset", 10_000, .drop(afterBytes: 10_000, isReset: true)), ("drop:25000", 0, nil),
        ("link-down:5", 0, .linkDown(milliseconds: 5)), ("garbage", 0, .garbage),
        ("extra-data:7", 0, .extraData(bytes: 7)),
    ])
    func `a response has the link fault that applies to its range`(
        spelling: String, offset: UInt32, linkFault: LinkFault?
    ) throws {
        var test = TestCamera()
        let handle = try #require(try test.shoot().first)
        test.camera.add(try Fault(spelling: spelling))
        #expect(test.send(.getPartialObject, handle, offset, 20_000).linkFault == linkFault)
    }

    @Test func `announces no thumbnail of a photo without a thumbnail`() throws {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: "no-thumbnail@shot 2"))
        let handles = try test.shoot(2)
        #expect(test.send(.getThumb, handles[0]).response == .ok)
        #expect(test.send(.getThumb, handles[1]).response == .noThumbnailPresent)
        // The size of the thumbnail in ObjectInfo.
        let info = try #require(test.send(.getObjectInfo, handles[1]).data).bytes
        #expect(info[14..<18].allSatisfy { $0 == 0 })
    }

    @Test func `a full store refuses a shot and takes no photo`() throws {
        var test = TestCamera()
        test.camera.add(try Fault(spelling: "store-full"))
        #expect(test.send(.initiateCapture).response == .storeFull)
        #expect(test.camera.statistics.shots == 0)
        #expect(test.send(.initiateCapture).response == .ok)
    }
}
