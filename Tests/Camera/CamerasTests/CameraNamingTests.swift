import Foundation
import FrameFastModel
import Logging
import Makers
import Testing

@testable import Cameras

/// Tests how cameras get their names.
@Suite struct CameraNamingTests {
    /// An owner that serves no connections. These tests only name cameras.
    private struct NoOwner: ConnectionOwner {
        func serve(_ connection: CameraConnection) async -> ConnectionEnd { .stopping }
    }

    /// A storage whose writes wait until a given number of writes has arrived.
    private actor SlowStorage {
        private(set) var kept: [CameraID: String] = [:]
        private var together: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(together: Int) { self.together = together }

        func keep(_ record: RosterRecord) async {
            if waiting.count + 1 < together {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                for waiter in waiting { waiter.resume() }
                (waiting, together) = ([], 0)
            }
            kept[record.id] = record.name
        }
    }

    private static func fleet(_ storage: SlowStorage) throws -> CameraFleet {
        let settings = ConfiguredCamera(id: "", name: "", port: "", zone: .gmt, deletesAfterSave: false)
        return CameraFleet(
            options: .init(configured: [], newcomer: settings, kept: settings, allowances: .init()),
            storage: RosterStorage(load: { [] }, store: { await storage.keep($0) }, delete: { _ in }),
            knowledge: try .bundled(),
            workers: WorkerStart(
                settings: WorkerSettings(program: "", homes: "", drivers: [], photos: ""), drivers: "",
                guid: .random()),
            bus: nil, owner: NoOwner(), registry: CameraRegistry { _ in },
            conditionBoard: ConditionBoard { _ in },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `a name with a number does not exceed the length limit`() {
        let long = String(repeating: "x", count: 60)
        let first = CameraNames.free(long) { _ in false }
        #expect(first.count == CameraNames.lengthMax)
        var taken = [first]
        for number in 2...11 {
            let name = CameraNames.free(long, taken: taken.contains)
            #expect(name.count == CameraNames.lengthMax && name.hasSuffix("-\(number)"))
            taken.append(name)
        }
        #expect(Set(taken).count == taken.count)
    }

    @Test func `keeps a camera's first name when its reported model changes`()
        async throws
    {
        let fleet = try Self.fleet(SlowStorage(together: 1))
        await fleet.addPlugged(["one"])
        let first = await fleet.recordConnection(
            of: "one", CameraFacts(maker: "Sony", model: "A7 III", serial: "1111"))
        #expect(first?.name == "a7-iii")
        let later = await fleet.recordConnection(
            of: "one", CameraFacts(maker: "Sony", model: "ILCE-7M3", serial: "1111"))
        #expect(later?.name == "a7-iii")
    }

    @Test func `gives two cameras of one model different names when they connect together`() async throws {
        let storage = SlowStorage(together: 2)
        let fleet = try Self.fleet(storage)
        await fleet.addPlugged(["one", "two"])
        async let one = fleet.recordConnection(
            of: "one", CameraFacts(maker: "Nikon", model: "Z 6_2", serial: "1111"))
        async let two = fleet.recordConnection(
            of: "two", CameraFacts(maker: "Nikon", model: "Z 6_2", serial: "2222"))
        let names = await [one?.name, two?.name]
        #expect(Set(names) == ["z-6-2", "z-6-2-2"])
        #expect(await Set(storage.kept.values) == ["z-6-2", "z-6-2-2"])
    }
}

extension CameraFleet {
    /// Adds cameras that are plugged in and not configured.
    fileprivate func addPlugged(_ ids: [CameraID]) {
        for id in ids {
            var camera = options.kept
            (camera.id, camera.name) = (id, id.rawValue)
            members[id] = CameraMember(camera: camera, origin: .plugged)
        }
    }
}
