import ArgumentParser

struct SessionVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Start, list, keep and stop sessions, which group photos under a name.",
        subcommands: [
            SessionStartVerb.self, SessionListVerb.self, SessionKeepVerb.self, SessionStopVerb.self,
        ])
}
