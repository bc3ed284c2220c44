import Cameras
import Foundation
import FrameFastModel
import ScriptedWorker
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

/// Tests that new shots are fetched immediately, regardless of the number of older photos on the card.
@Suite(.blocking) struct ShotsFirstTests {
    private static let photo = Data([0xFF, 0xD8, 0xFF, 0xD9])
    private static let onCard = 60
    /// The number of the reading during which the shots are announced.
    private static let during = 5

    private static func object(_ number: Int) -> CameraObject {
        CameraObject(
            folder: "/store_00010001/DCIM", name: "IMG_\(number).BIN", size: UInt64(photo.count),
            cameraTime: Int64(number))
    }

    /// A script for the worker's reads, which blocks one read until the shots are requested.
    private final class Script: Sendable {
        let shotsAreRequested = DispatchSemaphore(value: 0)
        private let readings = Atomic(0)
        private let isAtShots = Mutex(false)

        /// Returns `true` once, when the shots are due.
        func isDue() -> Bool {
            isAtShots.withLock { isNow in
                defer { isNow = false }
                return isNow
            }
        }

        func read() -> Data {
            if readings.add(1, ordering: .relaxed).newValue == ShotsFirstTests.during {
                isAtShots.withLock { $0 = true }
                shotsAreRequested.wait()
            }
            return ShotsFirstTests.photo
        }
    }

    /// - Parameter shots: The numbers of the shots. Photos with numbers up to ``onCard`` are listed
    ///   before they are announced.
    @Test(arguments: [[101, 102], [58, 57], [101, 59]])
    func `fetches shots before card photos and after running requests`(shots: [Int]) async throws {
        let script = Script()
        let camera = try await ScriptedCamera((1...Self.onCard).map(Self.object)) { _, _, _ in script.read() }
        defer {
            // If the intake never requests the shots, `serve` reports the timeout, and the blocked read ends.
            script.shotsAreRequested.signal()
            camera.remove()
        }
        let expected = Self.onCard + shots.count { $0 > Self.onCard }
        try await camera.serve {
            if script.isDue() {
                for number in shots { camera.announce(Self.object(number)) }
            }
            // The worker has received the requests for the shots while it still reads a photo of the card.
            if Set(shots.map { Self.object($0).name }).isSubset(of: camera.worker.requested) {
                script.shotsAreRequested.signal()
            }
            return try await camera.records().count { $0.state == .saved } == expected
        }
        let requests = camera.worker.requested
        #expect(requests.count == expected, "each photo is fetched once")
        let places = shots.map { number in requests.firstIndex(of: Self.object(number).name) ?? .max }
        #expect(places.allSatisfy { $0 < Self.during + ActiveTransfers.fetchesMax + shots.count })
        let others = requests.compactMap { name in
            (1...Self.onCard).first { Self.object($0).name == name && !shots.contains($0) }
        }
        // The card's photos keep their order, except for concurrent fetches. Any number of
        // fetches may overtake a delayed fetch, so only the number of delayed fetches is limited.
        for (index, number) in others.enumerated() {
            let delayed = others[(index + 1)...].count { $0 < number }
            #expect(delayed < ActiveTransfers.fetchesMax, "IMG_\(number) was requested too early: \(others)")
        }
    }
}
