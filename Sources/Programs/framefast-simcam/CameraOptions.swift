public import ArgumentParser
public import CameraSimulator

extension Maker: ExpressibleByArgument {}

extension SonyRelease: ExpressibleByArgument {}

extension SonyGeneration: ExpressibleByArgument {}

extension EOSBattery: ExpressibleByArgument {}

extension PieceLimit.Reaction: ExpressibleByArgument {}

/// The options for the camera's identity and behavior.
struct CameraOptions: ParsableArguments {
    @Option(help: "The maker to simulate: generic, canon, nikon, sony or fuji.")
    var maker: Maker = .generic

    @Option(help: "Model name of the camera.")
    var model: String?

    @Option(
        help: """
            Serial number of the camera; may be empty. Default: a new number for each run; a camera \
            with --card keeps its number.
            """)
    var serial: String?

    @Option(help: ArgumentHelp("Battery level.", valueName: "percent"))
    var battery = 80

    @Option(
        help: ArgumentHelp(
            "Difference between the camera's clock and this computer's clock. Positive: the camera's clock is ahead.",
            valueName: "seconds"))
    var clockOffset = 0

    @Option(
        help: ArgumentHelp(
            "Number of shots that a Fujifilm's memory can hold.", valueName: "n"))
    var buffer: Int?

    @Option(
        help: ArgumentHelp(
            "Time after a read of photo data during which the camera cannot shoot, in milliseconds (a D780: 500).",
            valueName: "ms"))
    var shutterHeld: Int?

    @Option(
        help: ArgumentHelp(
            "Where a Sony reports support for remote release: device-info, first-list or second-list of Sony's "
                + "extension, or nowhere.", valueName: "place"))
    var sonyRelease: SonyRelease = .deviceInfo

    @Option(help: "Method to change a Sony's settings: new (set a value) or old (move the dial in steps).")
    var sonySettings: SonyGeneration = .new

    @Option(
        help: ArgumentHelp(
            "Time that a Sony needs for a dial step, or to change the quality or focus mode, in milliseconds.",
            valueName: "ms"))
    var sonyStep = 0

    @Option(
        help: ArgumentHelp(
            "Layout of an EOS's display data, in hexadecimal as in property d199: 7 (default) for "
                + "older cameras, up to 14 for the newest, which libgphoto2 2.5.30 misreads.",
            valueName: "layout"),
        transform: { text in
            guard let version = UInt32(text, radix: 16), CameraIdentity.eosDisplayVersions.contains(version)
            else {
                let known = CameraIdentity.eosDisplayVersions.map { String($0, radix: 16) }
                throw ValidationError("cannot use the layout '\(text)': use \(known.joined(separator: ", "))")
            }
            return version
        })
    var eosDisplay: UInt32 = 7

    @Option(
        help: ArgumentHelp(
            "How an EOS reports its battery level: percent, steps (older cameras, with Canon's property "
                + "only), or levels (0 to 3, as an EOS M10).", valueName: "unit"))
    var eosBattery: EOSBattery = .percent

    @Flag(help: "Announce photos in an EOS's records for long names, like an R1, R5 Mark II and R6 Mark III.")
    var eosLongNames = false

    @Flag(
        help: """
            Support objects of 4.3 GB and more, as newer Nikons and MTP devices do.
            """)
    var wide = false

    @Option(help: ArgumentHelp("Maximum size of a partial transfer.", valueName: "size"))
    var pieceLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Reaction to a request above --piece-limit: refuse, short (sends less) or hang.",
            valueName: "manner"))
    var pieceManner: PieceLimit.Reaction = .refuse

    func apply(to options: inout SimulatorOptions, card: String?) {
        options.identity = CameraIdentity(
            maker, model: model, serial: serial ?? CameraIdentity.ownSerial(card: card))
        options.identity.sonyRelease = sonyRelease
        options.identity.sonyGeneration = sonySettings
        options.identity.sonyStepMs = sonyStep
        options.identity.eosDisplayVersion = eosDisplay
        options.identity.eosBattery = eosBattery
        options.identity.eosLongNames = eosLongNames
        options.identity.isWide = wide
        options.identity.pieceLimit = pieceLimit.map { PieceLimit(bytes: $0.bytes, reaction: pieceManner) }
        options.battery = battery
        options.bufferShots = buffer
        options.shutterHeldMs = shutterHeld
        options.clockOffsetSeconds = clockOffset
    }
}
