import APIClient
import ArgumentParser

/// A command that talks to the daemon.
protocol Verb: ParsableCommand {
    var global: GlobalOptions { get }
    func perform(_ context: Context) throws(ClientError) -> ExitStatus
}
