/// The desktop's own command for what it has mounted: it asks the login's session bus, as a file manager does.
enum DesktopProgram {
    /// Time for one command; unmounting waits for a copy's current piece.
    private static let timeoutMs = 20_000

    /// Why the desktop did not let go.
    enum Refusal: Error {
        case noProgram, notListed, failed

        /// Lower case, as behind a colon.
        var words: String {
            switch self {
            case .noProgram: "gio is not installed, which asks the desktop"
            case .notListed: "the desktop does not list it among its mounts"
            case .failed: "the desktop did not let go of it, because a program still reads from it"
            }
        }
    }

    /// Has the desktop unmount the camera at a node. Its process for that camera ends then.
    static func unmount(_ node: USBNode) throws(Refusal) {
        guard let gio = ShortCommand.find("gio") else { throw .noProgram }
        let listed = ShortCommand.run(
            gio, ["mount", "--list", "--detail"], environment: ["LC_ALL": "C.UTF-8"], timeoutMs: timeoutMs)
        let mounts = DesktopMounts(listed.map { String(decoding: $0.output, as: UTF8.self) } ?? "")
        guard let address = mounts.address(of: node) else { throw .notListed }
        guard ShortCommand.run(gio, ["mount", "--unmount", address], timeoutMs: timeoutMs)?.status == 0 else {
            throw .failed
        }
    }
}
