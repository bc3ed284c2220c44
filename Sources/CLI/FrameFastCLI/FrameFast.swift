import ArgumentParser
import FrameFastAPI

/// The root command of `framefast`.
struct FrameFast: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framefast",
        abstract: "Control FrameFast, which saves each photo from your cameras when it is taken.",
        discussion: """
            Global options, before or after the command:
            \(GlobalOption.table)

            On a terminal, `connect` prompts for options that you omit. Actions that cannot be undone ask for \
            confirmation unless --yes is given. Without a terminal, there are no prompts. `framefast help \
            exit-codes` lists the exit statuses.
            """,
        version: ProductVersion.current,
        subcommands: [
            StatusVerb.self, WatchVerb.self, ConnectVerb.self, DoctorVerb.self, CamerasVerbs.self,
            CapturesVerbs.self, RateVerb.self,
            SessionVerbs.self, QueueVerbs.self, ModeVerb.self, DestinationsVerbs.self, StorageVerbs.self,
            WebVerbs.self,
            EventsVerb.self, LogsVerb.self,
            GetVerb.self, SetVerb.self, PresetVerbs.self, ClockVerb.self, ShootVerb.self, GroupVerbs.self,
            LiveVerb.self, BulbVerb.self, IntervalVerb.self, BracketVerb.self, StackVerb.self, FocusVerb.self,
            MovieVerb.self, StopVerb.self,
            TemplateVerbs.self, VersionVerb.self,
            ExitCodesVerb.self,
        ])
}
