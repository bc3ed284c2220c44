import ArgumentParser

/// The help of arguments that several verbs have.
extension ArgumentHelp {
    static let camera: Self = "The camera: its id or name."
    static let preset: Self = "The preset."
    static let nearest: Self = "Use the nearest available value."
    static let dryRun: Self = "Dry run: show what would be set."
    static let yes: Self = "Do not ask for confirmation."
}
