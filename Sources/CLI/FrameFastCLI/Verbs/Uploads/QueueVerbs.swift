import APIClient
import ArgumentParser
import FrameFastAPI

struct QueueVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List, pause, resume, retry, hold, release, drop, add and prioritize uploads.",
        subcommands: [
            QueueListVerb.self, QueuePauseVerb.self, QueueResumeVerb.self, QueueRetryVerb.self,
            QueueHoldVerb.self, QueueReleaseVerb.self, QueueFirstVerb.self, QueueDropVerb.self,
            QueueAddVerb.self,
        ], defaultSubcommand: QueueListVerb.self)
}

struct QueuePauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause uploads to a destination, or to all.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination. Default: all.")
    var destination: DestinationName?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.pause(destination, true)
    }
}

struct QueueResumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume uploads to a destination, or to all.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination. Default: all.")
    var destination: DestinationName?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.pause(destination, false)
    }
}

/// A verb that changes the chosen uploads.
protocol QueueChangeVerb: Verb {
    typealias Change = KeyPath<Endpoints, Endpoint<NoPath, UploadSelection, UploadChangeReply>>

    var which: UploadSelectionOptions { get }
    /// The words for the result, as in `12 uploads held`.
    static var done: String { get }
    static var endpoint: Change { get }
}

extension QueueChangeVerb {
    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(Self.endpoint, which.selection(context.client))
        context.output.show(UploadChangeView(done: Self.done, reply: response.value, json: response.body))
        return .success
    }
}

struct QueueRetryVerb: QueueChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry failed uploads now.")
    static let done = "queued again"
    static var endpoint: Change { \.uploads.retry }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions
}

struct QueueHoldVerb: QueueChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Hold uploads until they are released.")
    static let done = "held"
    static var endpoint: Change { \.uploads.hold }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions
}

struct QueueReleaseVerb: QueueChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Release held uploads.", discussion: UploadWords.unsorted)
    static let done = "released"
    static var endpoint: Change { \.uploads.release }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions
}

struct QueueFirstVerb: QueueChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "first",
        abstract: "Move uploads to the front of the queue, including held and failed ones.",
        discussion: UploadWords.unsorted)
    static let done = "moved to the front"
    static var endpoint: Change { \.uploads.first }

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions

    func validate() throws {
        if which.isEmpty {
            throw ValidationError("select uploads with --to, --session, --camera, --state, or numbers")
        }
    }
}

extension Context {
    fileprivate func pause(_ destination: DestinationName?, _ isPaused: Bool) throws(ClientError)
        -> ExitStatus
    {
        if let destination {
            let response = try client.pauseDestination(destination, isPaused)
            output.show(DestinationsView(destinations: [response.value], json: response.body))
        } else {
            let response = try client.pauseUploads(isPaused)
            output.show(DestinationsView(destinations: response.value.destinations, json: response.body))
        }
        return .success
    }
}
