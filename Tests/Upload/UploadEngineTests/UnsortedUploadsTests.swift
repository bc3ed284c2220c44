import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Tests of photos that may belong to an earlier client. To upload such photos, a person must give their
/// numbers.
@Suite(.blocking, .timeLimit(.minutes(10))) struct UnsortedUploadsTests {
    @Test func `photos without a session stay held unless released by number`() async throws {
        let fixture = try AdviceFixture()
        try await fixture.save(["1.jpg"], isUnsorted: true)
        try await fixture.save(["2.jpg", "3.jpg"], mode: .offline)
        let service = try await fixture.service(isConfigured: true)
        try await fixture.rig.running(service) {
            await fixture.rig.events.wait {
                $0.conditions["upload-held"]?.sentence.hasPrefix("1 photo for nas is held. ") == true
            }
            #expect(try await service.leftUnsorted(UploadFilter()) == 1)
            #expect(try await service.leftUnsorted(UploadFilter(state: .failed)) == 0)
            #expect(try await service.putFirst(UploadFilter(destination: "nas")) == 2)
            await fixture.rig.wait(for: 2, in: .delivered)
            _ = try await service.hold(UploadFilter())
            #expect(try await service.release(UploadFilter(destination: "nas", state: .held)) == 0)
            let held = try await service.jobs(UploadFilter(state: .held), limit: 9)
            #expect(held.map(\.hold) == [.unsorted])
            let numbers = UploadFilter(ids: held.map(\.id))
            #expect(try await service.leftUnsorted(numbers) == 0)
            #expect(try await service.release(numbers) == 1)
            await fixture.rig.wait(for: 3, in: .delivered)
        }
    }

    /// A person usually adds all photos after adding a destination.
    @Test func `adding all photos skips those without a session`()
        async throws
    {
        let fixture = try AdviceFixture()
        try await fixture.save(["1.jpg"], isUnsorted: true)
        try await fixture.save(["2.jpg", "3.jpg"], mode: .offline)
        let archive = ScriptedDestination()
        let service = try await fixture.rig.service([
            fixture.target,
            fixture.rig.target(archive, name: "archive", rule: UploadRule(sessions: ["Other"])),
        ])
        try await fixture.rig.running(service) {
            try await eventually("three held photos") {
                try await service.jobs(UploadFilter(state: .held), limit: 9).count == 3 ? () : nil
            }
            let records = try await fixture.rig.store.captures(CaptureQuery(limit: 9)).map(\.record)
            let old = try #require(records.first { $0.isUnsorted }?.id)
            #expect(try await service.add(to: ["archive", "nas"]) == 4)
            await fixture.rig.wait(for: 4, in: .delivered)
            #expect(try await service.jobs(UploadFilter(state: .held), limit: 9).map(\.hold) == [.unsorted])
            #expect(try await service.leftUnsorted(to: ["archive"]) == 1)
            #expect(try await service.leftUnsorted(camera: "nobody", to: ["archive"]) == 0)
            #expect(try await service.add(captures: [old], to: ["archive"]) == 1)
            await fixture.rig.wait(for: 5, in: .delivered)
            #expect(try await service.leftUnsorted(to: ["archive"]) == 0)
            #expect(try await service.leftUnsorted(to: ["nas"]) == 1, "the photo is held")
        }
        #expect(archive.uploaded.sorted() == ["1.jpg", "2.jpg", "3.jpg"])
        #expect(fixture.place.uploaded.sorted() == ["2.jpg", "3.jpg"])
    }
}
