import APIClient
import ArgumentParser
import FrameFastAPI
import Localization
import TextForms

struct FieldVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "field",
        abstract: "Set what the session's next photos are given: job, client, name; walk through a list.",
        discussion: """
            A field has a name such as job and a text. A photo gets the fields as they stand when it is announced and \
            keeps them: they can stand in its name ({field:job}), and hooks and destinations are told. Fields belong to \
            the running session.
            """,
        subcommands: [
            FieldListVerb.self, FieldSetVerb.self, FieldClearVerb.self, FieldImportVerb.self,
            FieldNextVerb.self, FieldPreviousVerb.self, FieldGoVerb.self, FieldRowsVerb.self,
            FieldDropVerb.self,
        ], defaultSubcommand: FieldListVerb.self)
}

struct FieldListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the fields, and how many shots have them.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fields.list)
        context.output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}

struct FieldSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set fields for the next photos; earlier ones keep what they have.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    @Argument(help: FieldArgument.help)
    var fields: [FieldArgument]

    func validate() throws { _ = try FieldArgument.texts(fields) }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let texts = Dictionary(fields.map { ($0.name, $0.text) }) { $1 }
        let answer = try context.client.call(\.fields.change, .init(set: texts, camera: whose.camera))
        context.output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}

struct FieldClearVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Take fields away from the next photos.",
        discussion: "With --camera, its photos are given again what holds for all.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    @Argument(help: ArgumentHelp("The fields, for example job.", valueName: "name"))
    var names: [FieldName]

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fields.change, .init(clear: names, camera: whose.camera))
        context.output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}

struct FieldImportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Give the session a list from a CSV file.",
        discussion: """
            The first line names fields, for example number;name;class. Each other line is a row with a text for each of \
            them, and its first column tells it from the others. `framefast field next` goes to the first row, and so on; \
            `framefast scan` goes to the row whose code is scanned. Commas, semicolons or tabs; UTF-8.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The CSV file.", valueName: "file"))
    var file: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fields.setList, .init(table: FieldTable.read(file)))
        context.output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}

/// A table that a person names.
enum FieldTable {
    /// Its text. What is no table is said before anything is asked of the daemon.
    static func read(_ path: String) throws(ClientError) -> String {
        guard let bytes = GivenFile.bytes(path, most: FieldListRequest.tableLengthMax) else {
            throw refused(localized("cannot read \(path)"), localized("Give the path of a CSV file."))
        }
        guard bytes.count <= FieldListRequest.tableLengthMax else {
            throw refused(
                localized(
                    "cannot use \(path): it has more than \(FieldListRequest.tableLengthMax / 1024) KiB"),
                localized("Leave out columns that are not used."))
        }
        do throws(DelimitedTextError) { _ = try DelimitedText(bytes) } catch {
            throw refused(localized("cannot read \(path): \(error)"), nil)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func refused(_ message: String, _ nextStep: String?) -> ClientError {
        .refused(.init(code: .invalid, message: message, nextStep: nextStep))
    }
}

struct FieldNextVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Go to the next row of the list: all of its fields are set.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.step(.init(move: .next, camera: whose.camera))
    }
}

struct FieldPreviousVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Go back to the row before in the list.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.step(.init(move: .previous, camera: whose.camera))
    }
}

struct FieldGoVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "go", abstract: "Go to the row of the list that begins with this code.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var whose: FieldCameraOptions

    @Argument(help: ArgumentHelp("What is in the row's first column.", valueName: "code"))
    var code: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.step(.init(code: code, camera: whose.camera))
    }
}

extension Context {
    fileprivate func step(_ request: FieldStepRequest) throws(ClientError) -> ExitStatus {
        let answer = try client.call(\.fields.step, request)
        output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}

struct FieldRowsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "Show the rows of the list, and how many shots each has.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Only rows of which no photo was taken.")
    var missing = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fields.rows, .init(missing: missing ? true : nil))
        context.output.show(FieldRowsView(page: answer.value, isMissing: missing, json: answer.body))
        return .success
    }
}

struct FieldDropVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "drop-list", abstract: "Take the list away; fields stay as they are.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.fields.removeList)
        context.output.show(FieldsView(fields: answer.value, json: answer.body))
        return .success
    }
}
