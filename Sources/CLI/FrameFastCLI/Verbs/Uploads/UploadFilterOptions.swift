import ArgumentParser
import FrameFastAPI

/// Options that filter uploads by destination, session and camera.
struct UploadFilterOptions: ParsableArguments {
    @Option(
        name: [.customLong("to"), .customLong("destination")],
        help: ArgumentHelp("Only uploads to this destination.", valueName: "name"))
    var destination: DestinationName?

    @OptionGroup var photos: PhotoFilterOptions

    /// Whether no filter is given.
    var isEmpty: Bool { destination == nil && photos.isEmpty }
}
