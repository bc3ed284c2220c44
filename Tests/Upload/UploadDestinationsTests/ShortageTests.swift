import ChildProcesses
import FrameFastSystem
import Glibc
import SystemPackage
import Testing
import UploadEngine

@testable import UploadDestinations

/// A computer with too little left blames neither a destination nor its settings.
@Suite struct ShortageTests {
    @Test(
        arguments: [
            (EMFILE, true), (ENFILE, true), (ENOMEM, true), (EAGAIN, true), (ENOENT, false), (EACCES, false),
        ])
    func `a program that can't be started for want of files or memory waits`(number: Int32, isShort: Bool) {
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

    @Test func `a transfer without a thread waits for this computer`() {
        let reason = Errno.resourceTemporarilyUnavailable
        let failure = TransportFailure.noThread(reason).uploadFailure(place: "https://nas")
        #expect(failure.kind == .sourceAway && failure.shortage == reason)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func `a folder that can't be opened for want of files is not away`(number: Int32) {
        let error = SystemCallError(call: "open", subject: "x.part", errno: Errno(rawValue: number))
        let failure = FolderFailureMapping.failure(error, "/srv/nas")
        #expect(failure.kind == .sourceAway && failure.shortage?.rawValue == number)
        #expect(failure.sentence.contains("/srv/nas"))
    }
}
