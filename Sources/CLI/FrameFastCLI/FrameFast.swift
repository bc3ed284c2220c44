import ArgumentParser
import FrameFastAPI

/// The root command of `framefast`.
struct FrameFast: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framefast",
        abstract: "Control FrameFast, which saves each photo from your cameras when it is taken.",
        discussion: """
            Global options, before or after the command:
              --socket PATH  The daemon's socket. Default: $FRAMEFAST_SOCKET, then
                             $XDG_RUNTIME_DIR/framefast/framefast.sock if it exists, then
                             /run/framefast/framefast.sock.
              --json         Print JSON.
              --plain        Print plain text, one fact per line, without colors or
                             symbols.
              --color WHEN   When to use colors: auto, always or never. auto respects
                             NO_COLOR, CLICOLOR_FORCE and TERM=dumb.
              --theme NAME   Colors for a background: dark, light, terminal (the
                             terminal's own colors) or auto (detects the background).
              --contrast more
                             Text with a contrast of 7 to 1, without dimmed text. Setting
                             FRAMEFAST_CONTRAST=more has the same effect.

            On a terminal, `connect` prompts for its options. Actions that cannot be undone ask for \
            confirmation unless --yes is given. Without a terminal there are no prompts. `framefast help \
            exit-codes` lists the exit statuses.
            """,
        version: ProductVersion.current,
        subcommands: [
            StatusVerb.self, WatchVerb.self, ConnectVerb.self, DoctorVerb.self, CamerasVerbs.self,
            CapturesVerbs.self,
            SessionVerbs.self, QueueVerbs.self, ModeVerb.self, DestinationsVerbs.self, StorageVerbs.self,
            EventsVerb.self, LogsVerb.self,
            GetVerb.self, SetVerb.self, PresetVerbs.self, ClockVerb.self, ShootVerb.self, GroupVerbs.self,
            LiveVerb.self, BulbVerb.self, IntervalVerb.self, BracketVerb.self, StackVerb.self, FocusVerb.self,
            MovieVerb.self, StopVerb.self,
            TemplateVerbs.self, VersionVerb.self,
            ExitCodesVerb.self,
            ReferenceVerb.self,
        ])
}
