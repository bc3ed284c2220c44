import ChildProcesses
import FrameFastSystem
import Glibc
import SystemPackage
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests that a shortage of resources on this computer is not reported as a failure of the destination.
@Suite struct ShortageTests {
    @Test(
        arguments: [
            (EMFILE, true), (ENFILE, true), (ENOMEM, true), (EAGAIN, true), (ENOENT, false), (EACCES, false),
        ])
    func `reports a shortage if a program cannot start for lack of resources`(number: Int32, isShort: Bool) {
        let reason = Errno(rawValue: number)
        let errors: [any Error] = [reason, SystemCallError(call: "pipe", subject: "ssh", errno: reason)]
        for error in errors {
            let failure = UploadFailure.shortage(starting: "ssh", error)
            #expect(failure?.shortage == (isShort ? reason : nil))
        }
        let destination = CommandDestination(
            name: "print", settings: CommandSettings(program: "/bin/true"),
            logger: CommandDestinationTests.logger)
        let outcome = CommandRun.Outcome(end: .notStarted("no luck", reason))
        let failure = destination.failure(outcome, "a.JPG")
        let kind: UploadFailure.Kind = isShort ? .sourceAway : .permanent(.misconfigured)
        #expect(failure?.kind == kind)
    }

    @Test func `reports a shortage when no thread can be started`() {
        let reason = Errno.resourceTemporarilyUnavailable
        let failure = TransportFailure.noThread(reason).uploadFailure(place: "https://nas")
        #expect(failure.kind == .sourceAway && failure.shortage == reason)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func `reports a shortage when a folder cannot be opened`(number: Int32) {
        let error = SystemCallError(call: "open", subject: "x.part", errno: Errno(rawValue: number))
        let failure = FolderFailureMapping.failure(error, "/srv/nas")
        #expect(failure.kind == .sourceAway && failure.shortage?.rawValue == number)
        #expect(failure.sentence.contains("/srv/nas"))
    }
}
