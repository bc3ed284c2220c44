import FrameFastSystem
import Glibc
import SystemPackage
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests of failed system calls on a destination's folder.
@Suite struct FolderFailureTests {
    @Test(arguments: [(ESTALE, "noserverino"), (EIO, nil), (EHOSTDOWN, nil)] as [(Int32, String?)])
    func `advises a new mount after a stale file handle`(number: Int32, word: String?) {
        let error = SystemCallError(call: "open", subject: "x.part", errno: Errno(rawValue: number))
        let failure = FolderFailureMapping.failure(error, "/srv/nas")
        #expect(failure.kind == .outage(retryAfterSeconds: nil))
        #expect((failure.nextStep != nil) == (word != nil))
        if let word { #expect(failure.nextStep?.contains(word) == true) }
    }
}
