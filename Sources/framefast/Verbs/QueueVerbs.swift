import APIClient
import ArgumentParser
import FrameFastAPI

struct QueueVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List uploads; pause, resume, retry, hold, release, drop and add them.",
        subcommands: [
            QueueListVerb.self, QueuePauseVerb.self, QueueResumeVerb.self, QueueRetryVerb.self,
            QueueHoldVerb.self, QueueReleaseVerb.self, QueueDropVerb.self, QueueAddVerb.self,
        ], defaultSubcommand: QueueListVerb.self)
}

struct QueuePauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Send nothing more to a destination, or to any.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination; all of them when left out.")
    var destination: String?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.pause(destination, true)
    }
}

struct QueueResumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Send to a destination again, or to all.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination; all of them when left out.")
    var destination: String?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.pause(destination, false)
    }
}

struct QueueRetryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try failed and waiting uploads again, now.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.retryUploads(which.selection(context.client))
        context.output.show(UploadChangeView(done: "queued again", reply: answer.value, json: answer.body))
        return .success
    }
}

struct QueueHoldVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Keep uploads back until they are released.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.holdUploads(which.selection(context.client))
        context.output.show(UploadChangeView(done: "held", reply: answer.value, json: answer.body))
        return .success
    }
}

struct QueueReleaseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Let held uploads go.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.releaseUploads(which.selection(context.client))
        context.output.show(UploadChangeView(done: "released", reply: answer.value, json: answer.body))
        return .success
    }
}

extension Context {
    fileprivate func pause(_ destination: String?, _ isPaused: Bool) throws(ClientError) -> ExitStatus {
        if let destination {
            let answer = try client.pauseDestination(destination, isPaused)
            output.show(DestinationsView(destinations: [answer.value], json: answer.body))
        } else {
            let answer = try client.pauseUploads(isPaused)
            output.show(DestinationsView(destinations: answer.value.destinations, json: answer.body))
        }
        return .success
    }
}
