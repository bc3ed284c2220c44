/// Lets so many in at once; the others wait in line.
actor Turnstile {
    private var free: Int
    private var line: [CheckedContinuation<Void, Never>] = []

    init(width: Int) {
        free = max(width, 1)
    }

    /// Waits for a turn. Each turn ends with ``leave()``.
    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { line.append($0) }
    }

    /// Gives the turn to the next in line.
    func leave() {
        guard line.isEmpty else { return line.removeFirst().resume() }
        free += 1
    }
}
