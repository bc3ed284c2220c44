import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

/// Which uploads a verb is about.
struct UploadSelectionOptions: ParsableArguments {
    @OptionGroup var filter: UploadFilterOptions

    @Option(help: ArgumentHelp("Only uploads in this state: \(UploadWords.states).", valueName: "word"))
    var state: String?

    @Argument(
        help: ArgumentHelp(
            "Only uploads with these numbers, as listed, or of the photos with these names.",
            valueName: "upload-or-photo"))
    var uploads: [UploadOrPhoto] = []

    /// An upload by its number, or a photo by its file's name or path: all of its uploads.
    enum UploadOrPhoto: ExpressibleByArgument {
        case upload(JobID)
        case photo(PhotoArgument)

        init?(argument: String) {
            if let number = Int64(argument) {
                self = .upload(JobID(rawValue: number))
            } else if let photo = PhotoArgument(argument: argument) {
                self = .photo(photo)
            } else {
                return nil
            }
        }
    }

    func validate() throws {
        if let state, UploadWords.state(state) == nil {
            throw ValidationError(localized("--state is one of \(UploadWords.states)"))
        }
        if uploads.count > UploadSelection.idsMax {
            throw ValidationError(localized("at most \(UploadSelection.idsMax) uploads can be given"))
        }
        let names = uploads.count { if case .photo = $0 { true } else { false } }
        if names > UploadSelection.capturesMax {
            throw ValidationError(
                localized("at most \(UploadSelection.capturesMax) photos can be given by name"))
        }
        if names > 0, names < uploads.count {
            throw ValidationError(localized("numbers of uploads and names of photos cannot be mixed"))
        }
    }

    /// The selection in the daemon's terms; everything when nothing is given.
    func selection(_ client: FrameFastClient) throws(ClientError) -> UploadSelection {
        var numbers: [JobID] = []
        var photos: [CaptureID] = []
        for upload in uploads {
            switch upload {
            case .upload(let number): numbers.append(number)
            case .photo(let photo): photos.append(try photo.only(client))
            }
        }
        var selection = UploadSelection(
            destination: filter.destination, session: try client.sessionID(filter.photos.session),
            camera: filter.photos.camera, state: state.flatMap(UploadWords.state),
            ids: numbers.isEmpty ? nil : numbers, captures: photos.isEmpty ? nil : photos)
        if selection.isEmpty { selection.all = true }
        return selection
    }

    /// Whether nothing narrows it down.
    var isEmpty: Bool { filter.isEmpty && state == nil && uploads.isEmpty }

    /// In words, behind `12 uploads`: ` to nas`.
    var words: String { filter.destination.map { " " + localized("to \($0)", "a destination") } ?? "" }
}
