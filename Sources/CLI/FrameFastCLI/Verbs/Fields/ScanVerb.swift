import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import Localization
import TerminalUI

struct ScanVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Set a field with each code that a barcode scanner types.",
        discussion: """
            A scanner that acts as a keyboard types a code and a new line; each line sets the field for the photos that \
            follow. Where the session has a list, a code goes to the row that begins with it, and all fields of the row \
            are set; with --field it sets that field all the same. Ends with Ctrl-D. On a terminal it beeps: once for a \
            code that was taken, twice for one that was not. It reads a pipe as well. Exits with 1 when a code was not taken.
            """)

    /// The field that codes set when nothing else is said.
    private static let usualField: FieldName = "job"

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    @Option(
        help: ArgumentHelp("The field that codes set. Default: job, or the list's row.", valueName: "name"))
    var field: FieldName?

    @Option(help: ArgumentHelp("Give the session the list in this CSV file first.", valueName: "file"))
    var list: String?

    func validate() throws {
        guard field == nil || list == nil else {
            throw ValidationError(localized("--list sets the fields of a row: leave --field out"))
        }
        if let field { _ = try FieldArgument.texts([FieldArgument(field, "1")]) }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var now =
            if let list {
                try context.client.call(\.fields.setList, .init(table: FieldTable.read(list))).value
            } else { try context.client.call(\.fields.list).value }
        guard now.session != nil else {
            throw .refused(
                .init(
                    code: .conflict, message: localized("cannot set fields: no session is running"),
                    nextStep: localized("Start one with 'framefast session start NAME'.")))
        }
        var lines = ScannedLines()
        var status = ExitStatus.success
        func take(_ scans: [ScannedLines.Scan]) {
            for scan in scans {
                do throws(ClientError) {
                    now = try self.take(scan, now, context)
                    Self.beep(1, context)
                } catch {
                    context.output.fail(error.explanation)
                    Self.beep(2, context)
                    status = .failed
                }
            }
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            take(lines.take(buffer.prefix(count)))
        }
        take(lines.end())
        return status
    }

    /// Sets what was scanned, and shows it.
    private func take(
        _ scan: ScannedLines.Scan, _ now: FieldsReply, _ context: Context
    ) throws(ClientError) -> FieldsReply {
        let code: String
        switch scan {
        case .code(let text): code = text
        case .tooLong:
            throw Self.refused(
                localized("cannot take this code: it has more than \(FieldName.textLengthMax) characters"))
        case .notText: throw Self.refused(localized("cannot take this code: it is not UTF-8"))
        }
        let goesToRow = field == nil && now.list != nil
        let name = field ?? Self.usualField
        let answer =
            if goesToRow {
                try context.client.call(\.fields.step, .init(code: code, camera: whose.camera))
            } else {
                try context.client.call(
                    \.fields.change, .init(set: [name.rawValue: code], camera: whose.camera))
            }
        context.output.show(
            ScanView(
                fields: answer.value, names: goesToRow ? answer.value.list?.columns ?? [] : [name],
                json: answer.body))
        return answer.value
    }

    private static func refused(_ message: String) -> ClientError {
        .refused(.init(code: .invalid, message: message))
    }

    /// A person who scans looks at people, not at the screen.
    private static func beep(_ times: Int, _ context: Context) {
        guard isatty(STDERR_FILENO) == 1, context.output.format.isForPeople else { return }
        FileDescriptorText.write(String(repeating: "\u{07}", count: times), to: STDERR_FILENO)
    }
}
