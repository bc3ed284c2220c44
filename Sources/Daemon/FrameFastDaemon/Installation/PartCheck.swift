import FrameFastConfiguration

/// A check of a configuration's parts in another process, because the check accesses files that may be on a
/// dead network mount.
struct PartCheck: Sendable {
    /// The option with which the other process checks the parts.
    static let option = "--try-parts"

    let parts: [CheckedPart]
    /// The source of errors that belong to no part.
    let source: String
    /// This program, and the options that select the configuration.
    let program: String
    let options: [String]
    var run = CheckProcess.run

    /// Runs the check. If the other process has no results, this process checks the parts. For example, the
    /// other process cannot read a configuration that comes from a pipe.
    ///
    /// - Returns: The faults of each part, with `nil` for a part that does not respond. The whole value is
    ///   `nil` if the other process does not respond.
    func results() async -> [[CheckedPart.Fault]?]? {
        guard !parts.isEmpty else { return [] }
        guard let output = await run(program, options + [Self.option]) else { return nil }
        return CheckProcess.results(in: output, count: parts.count) ?? parts.map { $0.findFaults() }
    }

    /// Returns the errors of a check.
    ///
    /// - Parameters:
    ///   - results: See ``results()``.
    ///   - reported: The unresponsive paths that other errors already report.
    func errors(
        _ results: [[CheckedPart.Fault]?]?, reported: Set<String>
    ) -> [ConfigurationError] {
        guard let results else {
            let message =
                "cannot check the destinations, the hooks and 'upload.metered_command': "
                + "run 'framefastd --check-config' again"
            return [ConfigurationError(source: source, message: message)]
        }
        return zip(parts, results).flatMap { part, faults -> [ConfigurationError] in
            if let faults { return faults.map(part.error) }
            guard reported.isDisjoint(with: part.files) else { return [] }
            let paths = part.files.isEmpty ? ["a file"] : part.files
            return [part.error(.init(reason: CheckProcess.noResponse(of: paths)))]
        }
    }
}
