import APIClient
import ArgumentParser
import FoundationEssentials
import TerminalUI

struct EventsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Print events as JSON, one per line.",
        discussion: """
            The first event is a snapshot of the whole state. With --follow, prints each change until the \
            daemon stops. If the reader is too slow, prints an event of kind `resync` and then a new \
            snapshot.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(name: [.short, .long], help: "Keep printing events after the snapshot.")
    var follow = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if follow { ReaderWatch.start() }
        var isFirst = true
        try context.client.events { event throws(ClientError) in
            context.output.printLine(TerminalText.escapedJSON(Data(event.data.utf8)))
            isFirst = false
            return follow
        }
        // With `--follow`, the stream ends only when the daemon stops.
        if follow || isFirst { throw .connectionClosed }
        return .success
    }
}
