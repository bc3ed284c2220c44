import FrameFastModel
import Store
import TestRig
import Testing

@testable import UploadEngine

/// Photos of an earlier client go only when a person names each of them.
@Suite(.blocking, .timeLimit(.minutes(10))) struct UnsortedUploadsTests {
    @Test func `photos of no session stay held unless their numbers are given`() async throws {
        let scene = try AdviceScene()
        try await scene.save(["1.jpg"], isUnsorted: true)
        try await scene.save(["2.jpg", "3.jpg"], mode: .offline)
        let service = try await scene.service(isConfigured: true)
        try await scene.rig.running(service) {
            await scene.rig.events.wait {
                $0.conditions["upload-held"]?.sentence.hasPrefix("1 photo for nas is held. ") == true
            }
            #expect(try await service.leftUnsorted(UploadFilter()) == 1)
            #expect(try await service.leftUnsorted(UploadFilter(state: .failed)) == 0)
            #expect(try await service.putFirst(UploadFilter(destination: "nas")) == 2)
            await scene.rig.wait(for: 2, in: .delivered)
            _ = try await service.hold(UploadFilter())
            #expect(try await service.release(UploadFilter(destination: "nas", state: .held)) == 0)
            let held = try await service.jobs(UploadFilter(state: .held), limit: 9)
            #expect(held.map(\.hold) == [.unsorted])
            let numbers = UploadFilter(ids: held.map(\.id))
            #expect(try await service.leftUnsorted(numbers) == 0)
            #expect(try await service.release(numbers) == 1)
            await scene.rig.wait(for: 3, in: .delivered)
        }
    }
}
