public import ArgumentParser
public import CameraSimulator

extension Maker: ExpressibleByArgument {}

extension SonyRelease: ExpressibleByArgument {}

extension SonyGeneration: ExpressibleByArgument {}

extension PieceLimit.Manner: ExpressibleByArgument {}

/// The options for the camera's identity and behaviour.
struct CameraOptions: ParsableArguments {
    @Option(help: "Whose dialect it speaks: generic, canon, nikon, sony or fuji.")
    var maker: Maker = .generic

    @Option(help: "Model name that it gives.")
    var model: String?

    @Option(
        help: """
            Serial number of the camera; may be empty. Without it each started camera gets a new one, and one \
            with --card keeps its own.
            """)
    var serial: String?

    @Option(help: ArgumentHelp("Battery level.", valueName: "percent"))
    var battery = 80

    @Option(
        help: ArgumentHelp(
            "How far its clock is ahead of this computer's; may be negative.", valueName: "seconds"))
    var clockOffset = 0

    @Option(
        help: ArgumentHelp(
            "Shots that a Fujifilm's memory takes until they are deleted.", valueName: "n"))
    var buffer: Int?

    @Option(
        help: ArgumentHelp(
            "How long the body takes no shot after something of a photo was read (a D780: 500), in milliseconds.",
            valueName: "ms"))
    var shutterHeld: Int?

    @Option(
        help: ArgumentHelp(
            "Where a Sony says that it can be released from here: device-info, first-list or second-list of Sony's "
                + "extension, or nowhere.", valueName: "place"))
    var sonyRelease: SonyRelease = .deviceInfo

    @Option(help: "How a Sony is set: new, to a value, or old, by steps of its dials.")
    var sonySettings: SonyGeneration = .new

    @Option(
        help: ArgumentHelp(
            "How long a Sony takes for a step of a dial, or for another quality or focus mode, in milliseconds.",
            valueName: "ms"))
    var sonyStep = 0

    @Option(
        help: ArgumentHelp(
            "Layout in which an EOS tells what its display shows, counted in hexadecimal as its property d199 does: 7 (usual) for "
                + "older bodies to 14 for the newest, which libgphoto2 2.5.30 misreads.", valueName: "layout"),
        transform: { text in
            guard let version = UInt32(text, radix: 16), CameraIdentity.eosDisplayVersions.contains(version)
            else {
                let known = CameraIdentity.eosDisplayVersions.map { String($0, radix: 16) }
                throw ValidationError("cannot use the layout '\(text)': say \(known.joined(separator: ", "))")
            }
            return version
        })
    var eosDisplay: UInt32 = 7

    @Flag(
        help: """
            It has operations for objects of 4.3 GB and more: a Nikon those of newer bodies, a generic camera those of MTP.
            """)
    var wide = false

    @Option(help: ArgumentHelp("The most of a photo that it sends at a time.", valueName: "size"))
    var pieceLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "What it does that is asked for more than --piece-limit: refuse, short (it sends less) or hang.",
            valueName: "manner"))
    var pieceManner: PieceLimit.Manner = .refuse

    func apply(to options: inout SimulatorOptions, card: String?) {
        options.identity = CameraIdentity(
            maker, model: model, serial: serial ?? CameraIdentity.ownSerial(card: card))
        options.identity.sonyRelease = sonyRelease
        options.identity.sonyGeneration = sonySettings
        options.sonyStepMs = sonyStep
        options.identity.eosDisplayVersion = eosDisplay
        options.identity.isWide = wide
        options.identity.pieceLimit = pieceLimit.map { PieceLimit(bytes: $0.bytes, manner: pieceManner) }
        options.battery = battery
        options.bufferShots = buffer
        options.shutterHeldMs = shutterHeld
        options.clockOffsetSeconds = clockOffset
    }
}
