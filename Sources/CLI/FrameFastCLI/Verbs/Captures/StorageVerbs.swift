import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI
import TextForms

struct StorageVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Show stored photos and their upload states, or free some space.",
        subcommands: [StorageSummaryVerb.self, StorageClearVerb.self, StorageAdoptVerb.self],
        defaultSubcommand: StorageSummaryVerb.self)
}

struct StorageSummaryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "Show the photos on this computer by upload state.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.storage.summary)
        context.output.show(StorageView(summary: response.value, json: response.body))
        return .success
    }
}

struct StorageClearVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Remove local files that were delivered to all their destinations.",
        discussion: "Asks for confirmation unless --yes is given. Exits with 130 if the answer is no.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Remove photos that were delivered to all their destinations. Required.")
    var delivered = false

    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Only photos that were saved at least this long ago, for example 30d, 12h or 2w.",
            valueName: "time"
        ))
    var olderThan: String?

    @Flag(help: .yes)
    var yes = false

    func validate() throws {
        guard delivered else {
            throw ValidationError("--delivered is required: only delivered photos can be cleared")
        }
        if let olderThan, DurationText.duration(of: olderThan) == nil {
            throw ValidationError("--older-than must be like 30d, 12h or 2w")
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
                consequence: "Every file was delivered to all its destinations. This cannot be undone.")
            let refusal = Confirmation.ask(
                view, isConfirmed: yes, refused: "Nothing was removed.", context.output)
            if let refusal { return refusal }
        }
        request.dryRun = nil
        let response = try context.client.call(\.storage.clear, request)
        context.output.show(StorageClearView(amount: response.value, json: response.body))
        return .success
    }
}

struct StorageAdoptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Accept a new disk for photos, after you replaced the old disk.",
        discussion: """
            FrameFast recognizes the photo folder by a marker file and by the disk. If the disk is not \
            mounted, FrameFast saves no photos in the empty mount point. Asks for confirmation unless --yes \
            is given. Exits with 130 if the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: .yes)
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let disk = try context.client.call(\.service.status).value.disk
        let view = ConfirmView(
            .warning, question: "Save photos to the disk that is now at \(disk.directory)?",
            consequence: "All new photos are saved on this disk. If the wrong disk is mounted, answer no.")
        let refusal = Confirmation.ask(
            view, isConfirmed: yes, refused: "Nothing was changed.", context.output)
        if let refusal { return refusal }
        let response = try context.client.call(\.storage.adopt)
        context.output.show(StorageAdoptView(disk: response.value, json: response.body))
        return .success
    }
}
