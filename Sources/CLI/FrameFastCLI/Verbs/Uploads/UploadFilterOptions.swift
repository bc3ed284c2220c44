import ArgumentParser
import FrameFastAPI

/// Where uploads go to, and whose photos they are.
struct UploadFilterOptions: ParsableArguments {
    @Option(
        name: [.customLong("to"), .customLong("destination")],
        help: ArgumentHelp("Only uploads to this destination.", valueName: "name"))
    var destination: DestinationName?

    @OptionGroup var photos: PhotoFilterOptions

    /// Whether nothing narrows it down.
    var isEmpty: Bool { destination == nil && photos.isEmpty }
}
