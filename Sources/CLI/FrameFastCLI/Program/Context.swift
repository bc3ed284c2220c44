import APIClient

/// The client and the output that a verb uses.
struct Context {
    let client: FrameFastClient
    let output: Output
}
