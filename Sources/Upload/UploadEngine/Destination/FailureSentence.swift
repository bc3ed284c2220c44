/// A failure's message without the text that differs between attempts. Repeated failures therefore have equal
/// messages, and each message is shown only once.
///
/// Servers and libraries mention the names of part files and probes, and the durations of requests. This type
/// shortens the names and removes the durations.
struct FailureSentence: Hashable, Sendable {
    /// The message, with punctuation at its end. Starts with a capital letter, unless it starts with a URL.
    let text: String

    /// The prefixes of the temporary names that uploads create at any kind of destination.
    private static let ownPrefixes = [".framefast-", "framefast-probe-", "framefast-trial-", ".framefast/"]
    /// The text that all temporary names contain.
    private static let ownWord = "framefast"
    /// The suffixes of FrameFast's temporary files in `.framefast` folders. Other files in these folders
    /// belong to the user.
    private static let ownSuffixes = [".part", ".test"]
    /// The characters that can enclose or follow a name in a server's message.
    private static let delimiters: Set<Character> = [
        "'", "\"", "(", ")", "“", "”", "‘", "’", "<", ">", ",", ":", ";", "`",
    ]

    /// - Parameter words: The message from the server or the library.
    init(_ words: String) {
        var remaining: [Substring] = []
        for word in words.split(separator: " ") { remaining.append(contentsOf: Self.shortenName(word)) }
        var text = Self.removeTimes(from: remaining).joined(separator: " ")
        if let first = text.first, first.isLowercase, !Self.beginsWithAddress(text) {
            text = first.uppercased() + text.dropFirst()
        }
        if let last = text.last, !".?!".contains(last) { text += "." }
        self.text = text
    }

    /// Shortens a temporary name inside a word. Keeps the prefix and the extension, because server rules
    /// depend on them. Replaces the text that differs between photos with "…".
    private static func shortenName(_ word: Substring) -> [Substring] {
        // Swift compiles the regular expression below again for each word.
        guard word.contains(ownWord) else { return [word] }
        // Matches a part file without a leading dot. The name may already be shortened.
        let part = word.firstRange(of: /framefast-([0-9a-f]{16}|…)/)?.lowerBound
        let found =
            (ownPrefixes.compactMap({ word.firstRange(of: $0)?.lowerBound }) + [part].compactMap(\.self))
            .min()
        guard let found else { return [word] }
        var end = word[found...].firstIndex { delimiters.contains($0) } ?? word.endIndex
        if word[..<end].hasSuffix(".") { end = word.index(before: end) }
        guard !word[found...].hasPrefix(".framefast/") || ownSuffixes.contains(where: word[..<end].hasSuffix)
        else {
            return [word]
        }
        let name = word[found..<end]
        let prefix = ownPrefixes.first { name.hasPrefix($0) } ?? "framefast-"
        let tail = name.dropFirst(prefix.count)
        let dot = tail.lastIndex(of: ".")
        return [word[..<found] + prefix + "…" + (dot.map { tail[$0...] } ?? "") + word[end...]]
    }

    /// Removes durations such as "after 7 ms" and "after 30001 milliseconds".
    private static func removeTimes(from words: [Substring]) -> [Substring] {
        var remaining: [Substring] = []
        var index = 0
        while index < words.count {
            if index + 2 < words.count, words[index] == "after", words[index + 1].allSatisfy(\.isNumber),
                ["ms", "milliseconds"].contains(words[index + 2].filter(\.isLetter))
            {
                // Keeps the punctuation after the time: "… after 7 ms: refused".
                let end = words[index + 2].drop { $0.isLetter }
                if let last = remaining.popLast() { remaining.append(last + end) }
                index += 3
            } else {
                remaining.append(words[index])
                index += 1
            }
        }
        return remaining
    }

    private static func beginsWithAddress(_ text: String) -> Bool {
        text.prefix { $0 != " " }.contains("://")
    }
}
