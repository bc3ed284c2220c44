/// A failure's words such that equal failures have equal words, and people can be shown each once: without what differs
/// from one attempt to the next.
///
/// Servers and libraries repeat the name of a part or of a probe, and how long something took.
struct FailureSentence: Hashable, Sendable {
    /// One sentence: a capital letter at its beginning, a full stop at its end.
    let text: String

    /// What names of our own begin with, at every kind of destination.
    private static let ours = [".framefast-", "framefast-probe-", "framefast-trial-", ".framefast/"]
    /// What names in our own folders end with; other files there are somebody's.
    private static let ownEnds = [".part", ".test"]
    /// What may stand around a name in somebody's sentence.
    private static let fences: Set<Character> = [
        "'", "\"", "(", ")", "“", "”", "‘", "’", "<", ">", ",", ":", ";", "`",
    ]

    /// - Parameter words: As they were put together.
    init(_ words: String) {
        var kept: [Substring] = []
        for word in words.split(separator: " ") { kept.append(contentsOf: Self.plain(word)) }
        var text = Self.withoutTimes(kept).joined(separator: " ")
        if let first = text.first, first.isLowercase, !Self.beginsWithAddress(text) {
            text = first.uppercased() + text.dropFirst()
        }
        if let last = text.last, !".?!".contains(last) { text += "." }
        self.text = text
    }

    /// A word with a name of ours in it: the name keeps its beginning and its extension, which rules at servers look at,
    /// and loses what differs from photo to photo.
    private static func plain(_ word: Substring) -> [Substring] {
        // A part without a dot at its beginning, also as it was shortened before.
        let part = word.firstRange(of: /framefast-([0-9a-f]{16}|…)/)?.lowerBound
        let found = (ours.compactMap({ word.firstRange(of: $0)?.lowerBound }) + [part].compactMap(\.self))
            .min()
        guard let found else { return [word] }
        var end = word[found...].firstIndex { fences.contains($0) } ?? word.endIndex
        if word[..<end].hasSuffix(".") { end = word.index(before: end) }
        guard !word[found...].hasPrefix(".framefast/") || ownEnds.contains(where: word[..<end].hasSuffix)
        else {
            return [word]
        }
        let name = word[found..<end]
        let prefix = ours.first { name.hasPrefix($0) } ?? "framefast-"
        let tail = name.dropFirst(prefix.count)
        let dot = tail.lastIndex(of: ".")
        return [word[..<found] + prefix + "…" + (dot.map { tail[$0...] } ?? "") + word[end...]]
    }

    /// Without "after 7 ms" and "after 30001 milliseconds".
    private static func withoutTimes(_ words: [Substring]) -> [Substring] {
        var kept: [Substring] = []
        var index = 0
        while index < words.count {
            if index + 2 < words.count, words[index] == "after", words[index + 1].allSatisfy(\.isNumber),
                ["ms", "milliseconds"].contains(words[index + 2].filter(\.isLetter))
            {
                // What ends with the time is ended all the same: "… after 7 ms: refused".
                let end = words[index + 2].drop { $0.isLetter }
                if let last = kept.popLast() { kept.append(last + end) }
                index += 3
            } else {
                kept.append(words[index])
                index += 1
            }
        }
        return kept
    }

    private static func beginsWithAddress(_ text: String) -> Bool {
        text.prefix { $0 != " " }.contains("://")
    }
}
