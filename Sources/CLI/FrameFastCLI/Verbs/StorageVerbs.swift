import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI
import TextForms

struct StorageVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage", abstract: "Show what lies here and how far it is uploaded; free some space.",
        subcommands: [StorageSummaryVerb.self, StorageClearVerb.self, StorageAdoptVerb.self],
        defaultSubcommand: StorageSummaryVerb.self)
}

struct StorageSummaryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "Show the photos here, by how far their uploads are.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.storage.summary)
        context.output.show(StorageView(summary: answer.value, json: answer.body))
        return .success
    }
}

struct StorageClearVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Remove files here that are delivered to every destination.",
        discussion: "Asks first; --yes answers. Exits with 130 when the answer is no.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Clear what is delivered everywhere. Has to be said: nothing else is ever cleared.")
    var delivered = false

    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Only photos that were saved longer ago, for example 30d, 12h or 2w.", valueName: "time"))
    var olderThan: String?

    @Flag(help: "Do it without being asked.")
    var yes = false

    func validate() throws {
        guard delivered else {
            throw ValidationError("say that only delivered photos are meant: --delivered")
        }
        if let olderThan, DurationText.duration(of: olderThan) == nil {
            throw ValidationError("--older-than is written like 30d, 12h or 2w")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var request = StorageClearRequest(
            session: try context.client.sessionID(session),
            olderThanSeconds: olderThan.flatMap { DurationText.duration(of: $0) }.map {
                Int64(($0 / .seconds(1)).rounded(.up))
            }, dryRun: true)
        let amount = try context.client.call(\.storage.clear, request).value
        if amount.files > 0 {
            let what = "\(UploadWords.files(amount.files)) (\(Formatted.size(amount.bytes)))"
            let view = ConfirmView(
                .danger,
                question: "Remove \(what)\(session.map { " of session \($0)" } ?? "") from this computer?",
                consequence: "Each is delivered to every destination that it goes to. This cannot be undone.")
            switch Confirmation.ask(view, isAnswered: yes, context.output) {
            case .yes: break
            case .no:
                context.output.line("Nothing was removed.")
                return .left
            case .cannotAsk: return .usage
            }
        }
        request.dryRun = nil
        let answer = try context.client.call(\.storage.clear, request)
        context.output.show(StorageClearView(amount: answer.value, json: answer.body))
        return .success
    }
}

struct StorageAdoptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Save photos to the disk that is there now, after you changed the one with their folder.",
        discussion: """
            The folder for photos is remembered by a mark in it and by its disk, so that a disk that is not mounted is \
            never taken for an empty folder. Asks first; --yes answers. Exits with 130 when the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do it without being asked.")
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let disk = try context.client.call(\.service.status).value.disk
        let view = ConfirmView(
            .warning, question: "Save photos to the disk that is at \(disk.directory) now?",
            consequence: "They go there from now on. If the right disk is not mounted, say no.")
        switch Confirmation.ask(view, isAnswered: yes, context.output) {
        case .yes: break
        case .no:
            context.output.line("Nothing was changed.")
            return .left
        case .cannotAsk: return .usage
        }
        let answer = try context.client.call(\.storage.adopt)
        context.output.show(StorageAdoptView(disk: answer.value, json: answer.body))
        return .success
    }
}
