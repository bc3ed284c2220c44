import TerminalUI
import Testing

@testable import FrameFastCLI

@Suite struct StatusBarArgumentsTests {
    @Test(arguments: [
        ["status", "--format", "tmux"], ["status", "--format=waybar"],
        ["--socket", "/run/a b.sock", "status", "--format", "i3blocks", "--width", "30"],
        ["status", "--template", "{camera} · {word}", "--socket=/x=y"],
        ["status", "--format", "polybar", "--theme", "light", "--color=never"],
        ["--color", "always", "status", "--width=400", "--template", ""],
        ["--theme=dark", "status", "--format", "plain", "--template", "{{{free}}}"],
    ])
    func `parses status bar arguments like the argument parser`(arguments: [String]) throws {
        let quick = try #require(StatusBarArguments(arguments))
        let verb = try #require(Program.command(arguments) as? StatusVerb)
        #expect(quick == StatusBarArguments(verb))
    }

    @Test(arguments: [
        [], ["status"], ["status", "--socket", "/x"], ["--format", "tmux"],
        ["status", "--format", "tmux", "--follow"], ["status", "--format", "tmux", "-f"],
        ["status", "--format", "tmux", "--json"], ["status", "--format", "tmux", "--plain"],
        ["status", "--format"], ["status", "--format", "dwm"], ["status", "--format", "--width"],
        ["status", "--format", "tmux", "--width", "7"], ["status", "--format", "tmux", "--width", "wide"],
        ["status", "--template", "{nope}"], ["status", "--format", "tmux", "--format", "plain"],
        ["status", "--format", "tmux", "--"], ["status", "status", "--format", "tmux"],
        ["watch", "--format", "tmux"], ["status", "--format", "tmux", "--color", "pink"],
        ["status", "--format", "tmux", "--theme", "pink"], ["status", "--format", "tmux", "--help"],
        ["status", "--format", "tmux", "--socket", "-x"], ["help", "status"],
    ])
    func `leaves other command lines to the argument parser`(arguments: [String]) {
        #expect(StatusBarArguments(arguments) == nil)
    }
}
