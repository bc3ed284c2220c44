import FrameFastModel
import Makers

/// A known bug of libgphoto2: the affected versions, the affected cameras and a workaround.
struct DriverFault: Hashable, Sendable {
    /// A camera that is plugged in or connected.
    struct Body: Hashable, Sendable {
        /// The camera's display name.
        var name: String
        var maker: Maker?
        /// The model, from the camera or from the table of USB numbers, or `nil` if it is unknown.
        var model: String?
    }

    /// The specificity of a fault for a camera, from least to most specific.
    enum Specificity: Int, Comparable, Sendable {
        case otherCameras, everyCamera, maker, model

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A stable identifier for programs.
    var id: String
    /// The first version with the fault, or `nil` if all versions before ``until`` have it.
    var since: String?
    /// The first version without the fault, or `nil` if every known version has the fault.
    var until: String?
    /// The maker of the cameras, or `nil` for cameras of every maker.
    var maker: Maker?
    /// The models, as cameras and people write them. Empty for all cameras of the maker.
    var models: [String] = []
    /// Whether the bug causes missing photos or an unusable camera.
    var isSevere = false
    /// The symptom for the user, as a sentence without its final period.
    var symptom: String
    /// The advice to the user, as a sentence.
    var step: String
    /// The report of the fault, or the way in which it was observed.
    var source: String

    /// The fault as a sentence, with its versions and its source.
    var sentence: String { "\(symptom) (\(versions); \(source))." }

    private var versions: String {
        switch (since, until) {
        case (let since?, let until?): "since \(since), fixed in \(until)"
        case (let since?, nil): "since \(since)"
        case (nil, let until?): "before \(until)"
        case (nil, nil): "in all versions"
        }
    }

    /// Returns whether this version has the fault.
    func isIn(_ version: LibraryVersion) -> Bool {
        if let since = since.flatMap(LibraryVersion.init), version < since { return false }
        if let until = until.flatMap(LibraryVersion.init), version >= until { return false }
        return true
    }

    /// Returns how specifically the fault applies to a camera.
    func specificity(_ body: Body) -> Specificity {
        guard let maker else { return .everyCamera }
        guard body.maker == maker else { return .otherCameras }
        guard !models.isEmpty else { return .maker }
        return models.contains { Self.isModel(body.model, named: $0) } ? .model : .otherCameras
    }

    /// Returns whether a model matches a name. Cameras and libgphoto2 put the maker before the name, and the
    /// USB mode in parentheses after the name.
    private static func isModel(_ model: String?, named name: String) -> Bool {
        guard let model else { return false }
        let words = model.prefix { $0 != "(" }.lowercased().split(separator: " ")
        let wanted = name.lowercased().split(separator: " ")
        return words.suffix(wanted.count).elementsEqual(wanted)
    }
}
