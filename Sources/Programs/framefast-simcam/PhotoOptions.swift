public import ArgumentParser
public import CameraSimulator
import FoundationEssentials

extension ByteCount: ExpressibleByArgument {
    /// Parses `8MB`, `512 KiB` or a number of bytes.
    public init?(argument: String) { self.init(argument) }

    /// The text for `--help`.
    public var defaultValueDescription: String {
        for (factor, unit) in [(1_000_000_000, "GB"), (1 << 20, "MiB")] where bytes % factor == 0 {
            return "\(bytes / factor)\(unit)"
        }
        return "\(bytes)"
    }
}

/// The options for photos and the card.
struct PhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder with photos to use. Default: generated photos.", valueName: "dir"))
    var photos: String?

    @Option(
        help: ArgumentHelp(
            "Size of a generated JPEG, or a range of sizes: 8MB, 200KB-9MB. With real pictures: size of a RAW file.",
            valueName: "size"))
    var size = "2MB"

    @Flag(
        help: "Create a RAW file and a JPEG for each shot. The RAW file is three times as large as the JPEG.")
    var pairs = false

    @Flag(help: "Create a RAW file of --size for each shot, without a JPEG.")
    var rawOnly = false

    @Option(
        help: ArgumentHelp(
            "Content of generated photos: padded, or real with words such as real,adobe-rgb,mpf.",
            discussion: RealPhotoOptions.usage, valueName: "words"))
    var pictures = "padded"

    @Option(help: ArgumentHelp("Number of photos on the card at the start.", valueName: "n"))
    var existing = 0

    @Option(
        help: ArgumentHelp(
            "Number of the first photo, 1 to 9999. After 9999, numbering continues with 0001 in a new folder.",
            valueName: "n")
    )
    var firstNumber = 1

    @Option(help: ArgumentHelp("Size of the card.", valueName: "size"))
    var cardSize = ByteCount.standardCard

    @Option(
        help: ArgumentHelp(
            "Folder in which the card's photos are stored for the next run.", valueName: "dir"))
    var card: String?

    @Option(
        help: ArgumentHelp(
            #"File with names for the first photos, one per line. Supports the escapes \n, \\ and \uXXXX."#,
            valueName: "file"))
    var names: String?

    @Option(
        help: ArgumentHelp(
            "Seed of generated photos. The same seed generates the same photos.", valueName: "n"))
    var seed: UInt64 = 1

    mutating func validate() throws {
        guard sizes != nil else {
            throw ValidationError("cannot read '\(size)' as a size: use 8MB or 200KB-9MB")
        }
        guard !(pairs && rawOnly) else {
            throw ValidationError("--pairs and --raw-only cannot be combined")
        }
        guard try content() == nil || photos == nil else {
            throw ValidationError("--photos and --pictures real cannot be combined")
        }
        guard (1...9999).contains(firstNumber) else {
            throw ValidationError("the first number must be 1 to 9999")
        }
    }

    private var sizes: ClosedRange<Int>? {
        let parts = size.split(separator: "-", maxSplits: 1).compactMap { ByteCount($0)?.bytes }
        guard let low = parts.first, let high = parts.last, low <= high, high <= 2_000_000_000 else {
            return nil
        }
        return low...high
    }

    private func content() throws -> RealPhotoOptions? {
        do { return try RealPhotoOptions.options(from: pictures) } catch { throw ValidationError("\(error)") }
    }

    func apply(to options: inout SimulatorOptions) throws {
        options.photos = photos
        options.pictures = try content()
        options.sizes = sizes ?? options.sizes
        options.recording = pairs ? .pair : rawOnly ? .raw : .jpeg
        options.existing = existing
        options.firstNumber = firstNumber
        options.cardFolder = card
        options.cardBytes = cardSize.bytes
        options.seed = seed
        if let names {
            guard let text = try? String(contentsOfFile: names, encoding: .utf8) else {
                throw ValidationError("cannot read \(names)")
            }
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last == "" { lines.removeLast() }
            options.names = lines.map { CameraText(escaped: $0) }
        }
    }
}

extension ByteCount {
    /// The default card size, 64 GB.
    static let standardCard = ByteCount("64GB") ?? ByteCount(bytes: 64_000_000_000)
}
