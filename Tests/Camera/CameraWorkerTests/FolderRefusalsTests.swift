import Testing

@testable import CameraWorker

@Suite struct FolderRefusalsTests {
    @Test func `gives up on a folder after the maximum number of equal refusals`() {
        var refusals = FolderRefusals()
        let results = (0..<FolderRefusals.sameMax).map { _ in refusals.mayRetry(after: "PTP General Error")
        }
        #expect(results.dropLast().allSatisfy { $0 } && results.last == false)
    }

    @Test func `restarts the refusal count after a different message`() {
        var refusals = FolderRefusals()
        for _ in 1..<FolderRefusals.sameMax { _ = refusals.mayRetry(after: "PTP General Error") }
        let other = refusals.mayRetry(after: "PTP Access Denied")
        let again = refusals.mayRetry(after: "PTP General Error")
        #expect(other && again)
    }
}
