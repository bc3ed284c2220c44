/// Lines that describe the elements of a page: texts and states, and a place such as `@16,8 240x44`.
///
/// The width of a text depends on the fonts of the computer. A comparison therefore tolerates small
/// differences between places. Texts and states must be equal.
public enum LayoutLines {
    /// The tolerated difference of a number, in CSS pixels. It is about half the height of a line of text.
    static let tolerancePixels = 12
    /// The tolerated difference of a number, in percent. The larger of the two tolerances applies.
    static let tolerancePercent = 12
    /// The maximum number of differences in a report.
    private static let reportMax = 20

    /// Compares two descriptions of the same page.
    ///
    /// - Returns: The differences, or an empty list if the descriptions match.
    public static func differences(_ golden: [String], _ found: [String]) -> [String] {
        var differences: [String] = []
        for change in found.difference(from: golden, by: matches) {
            switch change {
            case .insert(let offset, let line, _): differences.append("line \(offset + 1), new: \(line)")
            case .remove(let offset, let line, _): differences.append("line \(offset + 1), missing: \(line)")
            }
        }
        return Array(differences.prefix(reportMax))
    }

    /// Returns whether two lines have the same texts, and places within the tolerance.
    static func matches(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let (text, numbers) = parts(of: one), let (otherText, otherNumbers) = parts(of: other) else {
            return false
        }
        return text == otherText
            && zip(numbers, otherNumbers).allSatisfy { first, second in
                let percent = max(abs(first), abs(second)) * tolerancePercent / 100
                return abs(first - second) <= max(tolerancePixels, percent)
            }
    }

    /// Returns the text of a line and the four numbers of its place, or `nil` for a line without a place.
    private static func parts(of line: String) -> (text: Substring, numbers: [Int])? {
        guard let match = line.firstMatch(of: /^(.*) @(-?\d+),(-?\d+) (\d+)x(\d+)$/) else { return nil }
        let (_, text, x, y, width, height) = match.output
        return (text, [x, y, width, height].compactMap { Int($0) })
    }
}
