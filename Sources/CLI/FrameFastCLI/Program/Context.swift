import APIClient

/// The client, the output and the clock that a verb uses.
struct Context {
    let client: FrameFastClient
    let output: Output
    let clock: CommandClock
}
