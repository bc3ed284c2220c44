import FrameFastModel

/// Generates names and ids for unnamed cameras. The results are valid in file names, API paths and logs.
enum CameraNames {
    /// The maximum length of a name, in characters. Names become part of file names.
    static let lengthMax = 48

    /// Returns an unused name derived from text, for example `canon-eos-r5`. Appends a number if the name is
    /// taken.
    static func free(_ words: String, taken: (String) -> Bool) -> String {
        let base = slug(words)
        var name = base
        var number = 1
        while taken(name) {
            number += 1
            let suffix = "-\(number)"
            name = base.prefix(lengthMax - suffix.count) + suffix
        }
        return name
    }

    /// Returns an unused id for a new camera. Renaming the camera does not change the id.
    static func freeID(_ words: String, taken: (CameraID) -> Bool) -> CameraID {
        CameraID(rawValue: free(words) { taken(CameraID(rawValue: $0)) })
    }

    /// Returns the ASCII letters and digits of the text in lower case, with one dash for each gap between
    /// them. The result is never empty and has at most ``lengthMax`` characters.
    static func slug(_ words: String) -> String {
        let parts = words.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let text = parts.joined(separator: "-").prefix(lengthMax)
        return text.isEmpty ? "camera" : String(text)
    }
}
