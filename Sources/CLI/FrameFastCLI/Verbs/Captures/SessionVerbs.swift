import ArgumentParser

struct SessionVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Start, list, keep, seal and stop sessions: names under which photos are filed.",
        subcommands: [
            SessionStartVerb.self, SessionListVerb.self, SessionKeepVerb.self, SessionSealVerb.self,
            SessionStopVerb.self,
        ])
}
