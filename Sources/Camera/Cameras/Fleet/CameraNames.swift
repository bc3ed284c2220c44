import FrameFastModel

/// Names and ids for cameras that nobody has named yet. Both are fit for file names, paths of the API and logs.
enum CameraNames {
    /// Longest name, in characters: it becomes a part of file names.
    static let lengthMax = 48

    /// A name from what is known of a camera, for example `canon-eos-r5`; with a number when it is taken.
    static func free(_ words: String, taken: (String) -> Bool) -> String {
        let base = slug(words)
        if !taken(base) { return base }
        var number = 2
        while taken("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }

    /// An id for a camera that has none yet; it stays, whatever the camera is called later.
    static func freeID(_ words: String, taken: (CameraID) -> Bool) -> CameraID {
        CameraID(rawValue: free(words) { taken(CameraID(rawValue: $0)) })
    }

    /// Letters and digits in lower case with dashes between them; never empty.
    static func slug(_ words: String) -> String {
        let parts = words.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let text = parts.joined(separator: "-").prefix(lengthMax)
        return text.isEmpty ? "camera" : String(text)
    }
}
