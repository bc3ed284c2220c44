import Cameras
import Foundation
import FrameFastModel
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

/// Tests that new shots are fetched immediately, regardless of the number of older photos on the card.
@Suite(.blocking) struct ShotsFirstTests {
    private static let photo = Data([0xFF, 0xD8, 0xFF, 0xD9])
    private static let onCard = 60
    /// The number of the request during which the shots are announced.
    private static let during = 5

    private static func object(_ number: Int) -> CameraObject {
        CameraObject(
            folder: "/store_00010001/DCIM", name: "IMG_\(number).BIN", size: UInt64(photo.count),
            cameraTime: Int64(number))
    }

    /// A scripted worker reading that records all requests, and holds one request while shots are announced.
    private final class Script: Sendable {
        let requests = Mutex<[String]>([])
        let mayGoOn = DispatchSemaphore(value: 0)
        private let isAtShots = Mutex(false)

        /// Returns `true` once, when the shots are due.
        func isDue() -> Bool {
            isAtShots.withLock { isNow in
                defer { isNow = false }
                return isNow
            }
        }

        func read(_ object: CameraObject) -> Data {
            let count = requests.withLock {
                $0.append(object.name)
                return $0.count
            }
            if count == ShotsFirstTests.during {
                isAtShots.withLock { $0 = true }
                mayGoOn.wait()
            }
            return ShotsFirstTests.photo
        }
    }

    /// - Parameter shots: The numbers of the shots. Photos with numbers up to ``onCard`` are listed
    ///   before they are announced.
    @Test(arguments: [[101, 102], [58, 57], [101, 59]])
    func `fetches shots before card photos and after running requests`(shots: [Int]) async throws {
        let script = Script()
        let camera = try await ScriptedCamera((1...Self.onCard).map(Self.object)) { object, _, _ in
            script.read(object)
        }
        defer { camera.remove() }
        let expected = Self.onCard + shots.count { $0 > Self.onCard }
        try await camera.serve {
            if script.isDue() {
                for number in shots { camera.announce(Self.object(number)) }
                // This photo is announced last. When it is in the ledger, the earlier shots are queued.
                camera.announce(Self.object(200))
            }
            let records = try await camera.records()
            if records.contains(where: { $0.object.name == "IMG_200.BIN" }) { script.mayGoOn.signal() }
            return records.count { $0.state == .saved } == expected + 1
        }
        let requests = script.requests.withLock { $0 }
        #expect(requests.count == expected + 1, "each photo is fetched once")
        let places = shots.map { number in requests.firstIndex(of: "IMG_\(number).BIN") ?? .max }
        #expect(places.allSatisfy { $0 < Self.during + ActiveTransfers.fetchesMax + shots.count })
        // The card's photos keep their order, except for concurrent requests.
        let others = requests.compactMap { name in
            (1...Self.onCard).first { "IMG_\($0).BIN" == name && !shots.contains($0) }
        }
        let sorted = others.sorted()
        #expect(zip(others, sorted).allSatisfy { abs($0 - $1) <= ActiveTransfers.fetchesMax })
    }
}
