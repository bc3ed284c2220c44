import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct SidecarTests {
    private static let host: FleetHostName = "rig-a"

    private func item(_ memory: Recording<String?>) -> UploadItem {
        let remoteName = "Day 1/IMG_1.JPG"
        var item = UploadItem(
            jobID: 7, localPath: "/photos/IMG_1.JPG", bytes: 8_000_000, sha256: "ab12", station: "k7f2q9wd",
            remoteName: remoteName,
            facts: [
                .camera: "Körper \"1\"", .original: "IMG_1.JPG", .kind: "picture", .shot: "12", .capture: "9",
                .capturedAt: "2026-11-21T14:25:30Z", .sha256: "ab12", .name: remoteName,
            ])
        item.saveResumePoint = { memory.add($0) }
        return item
    }

    @Test func `the photo comes first, and the sidecar says whose it is`() async throws {
        let (place, notes) = (ScriptedDestination(), Recording<String?>())
        let item = item(notes)
        let receipt = try await SidecarDestination(place, host: Self.host).upload(item) { _ in }
        #expect(receipt.remoteName == "Day 1/IMG_1.JPG")
        #expect(
            place.calls.all.filter { if case .uploaded = $0 { true } else { false } }
                == [.uploaded("Day 1/IMG_1.JPG"), .uploaded("Day 1/IMG_1.JPG.json")])
        let json = try PhotoSidecar(item, as: receipt, host: Self.host).json
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {
                  "bytes" : 8000000,
                  "camera" : "Körper \\"1\\"",
                  "capture" : 9,
                  "captured_at" : "2026-11-21T14:25:30Z",
                  "host" : "rig-a",
                  "kind" : "picture",
                  "name" : "IMG_1.JPG",
                  "original" : "IMG_1.JPG",
                  "sha256" : "ab12",
                  "shot" : 12,
                  "station" : "k7f2q9wd"
                }

                """)
    }

    @Test func `when the sidecar fails, the next try sends only that`() async throws {
        let (place, notes) = (ScriptedDestination(), Recording<String?>())
        place.fail("Day 1/IMG_1.JPG.json", ScriptedDestination.outage)
        let destination = SidecarDestination(place, host: Self.host)
        var item = item(notes)
        do throws(UploadFailure) {
            _ = try await destination.upload(item) { _ in }
            Issue.record("it is done without its sidecar")
        } catch {
            #expect(error.kind == ScriptedDestination.outage.kind)
            #expect(
                error.sentence
                    == "The photo is there, its sidecar is not yet: The server does not answer.")
        }
        place.fail("Day 1/IMG_1.JPG.json", nil)
        item.resumePoint = try #require(notes.all.last)
        let before = place.calls.all.count
        #expect(try await destination.upload(item) { _ in }.proof == .size)
        #expect(
            place.calls.all[before...]
                == [.started("Day 1/IMG_1.JPG.json"), .uploaded("Day 1/IMG_1.JPG.json")])
    }

    @Test func `a note of the place's own is left to it, and a probe has no sidecar`() async throws {
        let (place, notes) = (ScriptedDestination(), Recording<String?>())
        let destination = SidecarDestination(place, host: Self.host)
        var item = item(notes)
        item.resumePoint = "delivered by somebody else"
        _ = try await destination.upload(item) { _ in }
        #expect(place.calls.all.first == .started("Day 1/IMG_1.JPG"))
        let before = place.calls.all.count
        item.facts[.probe] = "1"
        _ = try await destination.upload(item) { _ in }
        #expect(place.calls.all[before...] == [.offered])
    }
}
