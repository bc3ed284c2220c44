import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import Testing

@testable import Cameras
@testable import ChildProcesses

@Suite struct HostShortageTests {
    private static let effect = "the camera program for studio cannot be started"

    @Test(arguments: [
        (
            EMFILE, "reached its limit of open files: the camera program for studio cannot be started.",
            "LimitNOFILE="
        ),
        (ENFILE, "reached its kernel's limit of open files", "fs.file-max"),
        (EAGAIN, "cannot start more processes", "TasksMax="),
        (ENOMEM, "out of memory", "Close other programs"),
    ])
    func `shortage condition has a sentence and a remedy for each errno`(
        number: Int32, words: String, remedy: String
    ) throws {
        let board = ConditionBoard { _ in }
        board.reportShortage(.camera("a"), Self.effect, Errno(rawValue: number))
        let condition = try #require(board.current.first)
        #expect(board.current.map(\.kind) == [.fewDescriptors])
        #expect(condition.subject == nil)
        #expect(condition.sentence.contains(words), "\(condition.sentence)")
        #expect(condition.nextStep.contains(remedy), "\(condition.nextStep)")
        for wrong in ["is installed", "Mount"] {
            #expect(!condition.sentence.contains(wrong) && !condition.nextStep.contains(wrong))
        }
    }

    @Test func `shortage condition ends when every affected operation succeeds`() throws {
        let board = ConditionBoard { _ in }
        board.reportShortage(.camera("a"), Self.effect, .tooManyOpenFiles)
        let since = try #require(board.current.first?.since)
        board.reportShortage(
            .camera("b"), "the camera program for tower cannot be started", .tooManyOpenFiles)
        #expect(board.current.count == 1)
        #expect(board.current.first?.sentence.contains("(and 1 more)") == true)
        #expect(board.current.first?.since == since)
        board.endShortage(of: .camera("a"))
        #expect(board.current.first?.sentence.contains("tower") == true)
        board.endShortage(of: .camera("b"))
        #expect(board.current.isEmpty)
    }

    @Test func `shortage condition ends when its camera leaves or is forgotten`() {
        let board = ConditionBoard { _ in }
        board.reportShortage(.camera("a"), Self.effect, .tooManyOpenFiles)
        board.clearDeparted("a")
        #expect(board.current.isEmpty)
        board.reportShortage(.camera("a"), Self.effect, .tooManyOpenFiles)
        board.forget(.camera("a"))
        #expect(board.current.isEmpty)
    }

    @Test func `condition for a low file limit stays after a worker starts`() {
        let board = ConditionBoard { _ in }
        board.recordOpenFileLimit(DescriptorLimit.enough)
        #expect(board.current.isEmpty)
        board.recordOpenFileLimit(48)
        #expect(board.current.first?.sentence.contains("only 48 files") == true)
        board.reportShortage(.camera("a"), Self.effect, .tooManyOpenFiles)
        #expect(board.current.count == 1)
        board.endShortage(of: .camera("a"))
        #expect(board.current.first?.sentence.contains("only 48 files") == true)
    }

    /// An error that prevents a worker from starting, and the reason if the error is a shortage.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var error: any Error
        var reason: Errno?
    }

    @Test(arguments: [
        Row(
            testDescription: "spawn",
            error: ChildProcess.StartError(program: "/a", reason: "", errno: .resourceTemporarilyUnavailable),
            reason: .resourceTemporarilyUnavailable),
        Row(
            testDescription: "program that is missing",
            error: ChildProcess.StartError(program: "/a", reason: "", errno: .noSuchFileOrDirectory)),
        Row(
            testDescription: "unknown reason",
            error: ChildProcess.StartError(program: "/a", reason: "it ended", errno: nil)),
        Row(
            testDescription: "socket pair",
            error: SystemCallError(call: "make", subject: "socket pair", errno: .tooManyOpenFiles),
            reason: .tooManyOpenFiles
        ),
        Row(
            testDescription: "folder",
            error: WorkerHomeError(
                folder: "/a", SystemCallError(call: "make", subject: "/a", errno: .tooManyOpenFilesInSystem)),
            reason: .tooManyOpenFilesInSystem),
        Row(
            testDescription: "call trace", error: WorkerHomeError(folder: "/a", Errno.noMemory),
            reason: .noMemory
        ),
        Row(
            testDescription: "settings of the driver",
            error: WorkerHomeError(folder: "/a", ServiceGUIDError.unwritable("/a", .tooManyOpenFiles)),
            reason: .tooManyOpenFiles),
        Row(
            testDescription: "full disk",
            error: WorkerHomeError(
                folder: "/a", SystemCallError(call: "make", subject: "/a", errno: .noSpace))),
    ])
    func `only a lack of file descriptors, processes or memory counts as a shortage`(row: Row) {
        #expect(HostShortage.reason(of: row.error) == row.reason)
    }
}
