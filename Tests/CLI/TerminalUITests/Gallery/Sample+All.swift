@testable import TerminalUI

extension Sample {
    /// All components, in the order of the design.
    static let all: [Sample] =
        [head, statusBar, steps, choices, guidance, info, facts, labelled, row, capture, meter, table]
        + [badge, banner, empty, section, sparkline, card, hints, confirm, busy, input, names, text]

    private static let head = Sample(
        name: "HeaderView", normal: HeaderView("FrameFast 1.0.0", BadgeView(.success, "Running")))

    private static let facts = Sample(
        name: "FactsView",
        normal: FactsView(["Bangkok Wedding", "212 shots", "Real-time upload", "31.2 GB", "since Friday"]))

    private static let labelled = Sample(
        name: "LabelledView", normal: LabelledView("Session", FactsView(["Bangkok Wedding", "212 shots"])))

    private static let statusBar = Sample(
        name: "StatusBarView",
        normal: StatusBarView(
            title: "EOS R6 Mark II", badge: BadgeView(.success, "Ready"),
            facts: ["Bangkok Wedding", "212 photos", "3 queued"]),
        more: [
            (
                "with a long name in wide letters",
                StatusBarView(
                    title: "スタジオの二台目のカメラ", badge: BadgeView(.busy, "Saving 42 %"), facts: ["งานแต่งงาน"])
            )
        ])

    private static let steps = Sample(
        name: "StepsView",
        normal: StepsView(
            titles: ["Maker", "Session", "Upload", "Connection", "Camera", "Ready"], current: 2),
        more: [
            (
                "done",
                StepsView(
                    titles: ["Maker", "Session", "Upload", "Connection", "Camera", "Ready"], current: 6)
            )
        ])

    private static let rows: [ChoiceListView.Row] = [
        .init(title: "Canon", caption: "EOS R, 5D, 6D and others", mark: BadgeView(.info, "Plugged in")),
        .init(title: "Nikon", caption: "Z series and others"),
        .init(title: "Not sure", caption: "Steps for most cameras"),
    ]

    private static let choices = Sample(
        name: "ChoiceListView", normal: ChoiceListView(rows: rows, cursor: nil),
        focused: ChoiceListView(rows: rows, cursor: 0),
        empty: EmptyView("No maker is known here.", nextStep: "Update framefastd."),
        more: [
            (
                "with a row that is being tested",
                ChoiceListView(
                    rows: [
                        .init(
                            title: "Real-time upload",
                            caption: "Each photo is uploaded as soon as it is saved.",
                            mark: BadgeView(.busy, "Testing agency")),
                        .init(title: "Shoot offline", caption: "Everything is held until it is released."),
                    ], cursor: 0)
            )
        ])

    private static let guidance = Sample(
        name: "GuidanceView",
        normal: GuidanceView(
            .warning, "The camera is in card reader mode.",
            steps: [
                "Open MENU on the camera and choose the USB connection 'Photo Import/Remote Control'.",
                "Turn the camera off and on.",
            ]))

    private static let info = Sample(
        name: "InfoRowView",
        normal: InfoRowView(rows: [
            ("Session", "Bangkok Wedding"), ("Camera", "EOS R6 Mark II"),
            ("Downloaded", "212 photos, 4.1 GB"),
            ("Uploads", "209 photos, 3 in progress"),
        ]),
        empty: EmptyView("No session runs.", nextStep: "Start a session with `framefast session start NAME`.")
    )

    private static let row = Sample(
        name: "RowView",
        normal: RowView(
            BadgeView(.success, "Ready"), title: "studio-nas", caption: "smb://nas/photos",
            figure: "12.4 MB/s",
            wordCells: 9),
        focused: RowView(
            BadgeView(.success, "Ready"), title: "studio-nas", caption: "smb://nas/photos",
            figure: "12.4 MB/s",
            isFocused: true, wordCells: 9),
        empty: EmptyView("No destination is configured.", nextStep: "Add one to framefast.toml."),
        more: Tone.allCases.map { tone in
            (
                "in tone \(tone.word)",
                RowView(BadgeView(tone, tone.word), title: "EOS R6", figure: "3", wordCells: 9)
            )
        })

    private static let capture = Sample(
        name: "CaptureRowView",
        normal: CaptureRowView(
            BadgeView(.success, "Delivered"), name: "IMG_0001.JPG", size: "8.1 MB", age: "12 s ago",
            camera: "EOS R6"),
        focused: CaptureRowView(
            BadgeView(.busy, "Uploading 42 %"), name: "IMG_0002.CR3", size: "31.0 MB", age: "2 s ago",
            camera: "EOS R6", isFocused: true),
        empty: EmptyView("No photos yet.", nextStep: "Take one: it appears here as soon as it is safe."),
        more: [
            (
                "Saving",
                CaptureRowView(BadgeView(.busy, "Saving 12 %"), name: "A.CR3", size: "31.0 MB", age: "now")
            ),
            (
                "Saved",
                CaptureRowView(BadgeView(.success, "Saved"), name: "A.CR3", size: "31.0 MB", age: "1 s ago")
            ),
            (
                "Queued",
                CaptureRowView(BadgeView(.neutral, "Queued"), name: "A.CR3", size: "31.0 MB", age: "2 s ago")
            ),
            (
                "Verifying",
                CaptureRowView(BadgeView(.busy, "Verifying"), name: "A.CR3", size: "31.0 MB", age: "3 s ago")
            ),
            (
                "Retrying",
                CaptureRowView(
                    BadgeView(.warning, "Retrying in 8 s"),
                    name: "20251121-140205-a-long-name-of-a-photo-0001.CR3",
                    size: "31.0 MB", age: "4 s ago", camera: "EOS R6 Mark II")
            ),
            (
                "Failed",
                CaptureRowView(BadgeView(.danger, "Failed"), name: "写真.JPG", size: "8.1 MB", age: "1 h ago")
            ),
        ])

    private static let meter = Sample(
        name: "MeterView",
        normal: MeterView(part: 84, whole: 100, label: "free", caption: "412.0 GB in /srv/photos"),
        empty: EmptyView("Nothing to upload."),
        more: [70, 40, 9, 0].map { ("at \($0) %", MeterView(part: Int64($0), whole: 100, label: "free")) }
            + [
                (
                    "of a transfer",
                    MeterView(
                        part: 42, whole: 100, label: "IMG_0002.CR3", bands: .progress,
                        caption: "38.2 MB/s, 1 s left")
                )
            ])

    private static let table = Sample(
        name: "TableView",
        normal: TableView(
            columns: [
                .init(heading: "State"), .init(heading: "Destination"),
                .init(heading: "Where", cellsMin: 12, dropOrder: 1),
                .init(heading: "Queued", isFigure: true, unit: "queued"),
                .init(heading: "Failed", isFigure: true, unit: "failed"),
            ],
            rows: [
                .init(.success, ["Ready", "studio-nas", "smb://nas/photos", "3", ""]),
                .init(.warning, ["Away", "a bucket with a name that is rather long", "s3://eu", "204", "1"]),
            ]))

    private static let badge = Sample(
        name: "BadgeView", normal: BadgeView(.success, "Ready"),
        more: Tone.allCases.map { ("in tone \($0.word)", BadgeView($0, $0.word)) })

    private static let banner = Sample(
        name: "BannerView",
        normal: BannerView(
            .warning, "Warning", "studio-nas: no response for 5 min.",
            nextStep: "Test the destination with `framefast destinations test studio-nas`."),
        more: [
            ("info", BannerView(.info, "Note", "2 RAW files have no JPEG.")),
            ("with a word as wide as others", BannerView(.success, "Released", "studio-a", wordCells: 12)),
            (
                "in two lines",
                BannerView(
                    .warning, "Warning",
                    "studio-nas: the server accepts the connection but does not respond.",
                    nextStep:
                        "No photo is lost. Uploads resume automatically when the destination accepts them.",
                    isShort: true)
            ),
            (
                "with its time",
                BannerView(
                    .warning, "Warning", "The battery of EOS R5 is at 4 %.",
                    nextStep: "Change the battery soon.", caption: "42 s ago")
            ),
            (
                "danger",
                BannerView(
                    .danger, "Error", "The disk is full: photos wait on the cameras.",
                    nextStep: "Free some space with `framefast storage clear`.")
            ),
            (
                "service away",
                BannerView(
                    .danger, "Offline", "framefastd is not running; showing the last known state.",
                    nextStep: "systemctl start framefastd")
            ),
        ])

    private static let empty = Sample(
        name: "EmptyView",
        normal: EmptyView("No camera yet.", nextStep: "Plug in a camera, or run `framefast connect`.")
    )

    private static let section = Sample(
        name: "SectionView", normal: SectionView("Photos", count: "212", note: "12 a minute"),
        more: [
            ("with a filter", SectionView("Photos", count: "3", label: "failed or retrying")),
            ("with an action", SectionView("Attention", count: "2", action: "`framefast doctor`")),
            ("open", SectionView("Destinations", count: "2", isOpen: true)),
            ("closed", SectionView("Destinations", count: "2", isOpen: false)),
            ("closed, focused", SectionView("Destinations", count: "2", isOpen: false, isFocused: true)),
        ])

    private static let sparkline = Sample(
        name: "SparklineView",
        normal: SparklineView([0, 0, 1, 3, 12, 40, 38, 9, 2, 0, 0, 7, 22, 31, 12], caption: "12 a minute"),
        empty: EmptyView("No photo in the last half hour."),
        more: [("at rest", SparklineView([], caption: "0 a minute"))])

    private static let names = Sample(
        name: "NamesView",
        normal: NamesView([
            "Bangkok Wedding/20251121/EOS R6-00001.CR3",
            "Bangkok Wedding, second day/20251121/EOS R6 Mark II of the second shooter-00002.CR3",
        ]))

    private static let card = Sample(
        name: "CardView",
        normal: CardView(
            title: "EOS R6 Mark II", badge: BadgeView(.success, "Ready"),
            rows: [TextView.wrapped("Canon EOS R6m2, battery 84 %, 512 shots left", .caption)]),
        focused: CardView(
            title: "EOS R6 Mark II", badge: BadgeView(.busy, "Saving 42 %"),
            rows: [MeterView(part: 42, whole: 100, label: "IMG_0002.CR3", bands: .progress)], isFocused: true),
        more: [
            (
                "raised",
                CardView(
                    .raised, title: "Sure?",
                    rows: [
                        ConfirmView(
                            .danger, question: "Drop 3 failed uploads?",
                            consequence: "The files here stay.")
                    ], tone: .danger)
            )
        ])

    private static let hints = Sample(
        name: "KeyHintsView",
        normal: KeyHintsView(hints: [
            .init("s", "shoot", isPrimary: true), .init("p", "pause", isPrimary: true),
            .init("r", "retry", isOn: false), .init("x", "forget", isDestructive: true), .init("m", "mode"),
            .init("?", "help"), .init("q", "quit"),
        ]))

    private static let confirm = Sample(
        name: "ConfirmView",
        normal: ConfirmView(
            .danger, question: "Drop 3 failed uploads?",
            consequence: "The photos will not be uploaded. The files stay here."),
        more: [
            (
                "of a reversible change",
                ConfirmView(
                    .warning, question: "Switch to Real-time upload?",
                    consequence: "12 held uploads may be uploaded now.")
            )
        ])

    private static let busy = Sample(
        name: "BusyView", normal: BusyView(text: "Looking for cameras"),
        more: [("a moment later", BusyView(text: "Looking for cameras", frame: 3))])

    private static let input = Sample(
        name: "InputView", normal: InputView(text: "192.168.1.5", example: "192.168.1.5"),
        more: [
            ("of a search", InputView(text: "wedding failed", example: "a name", sign: "/")),
            (
                "of a finished search",
                InputView(text: "wedding", example: "a name", sign: "/", isTyping: false)
            ),
            ("before the first key", InputView(text: "", example: "192.168.1.5")),
            (
                "with an invalid name",
                InputView(
                    text: "a/b", example: "Bangkok Wedding", errorMessage: "A name has no slash in it.")
            ),
            (
                "with an invalid address",
                InputView(
                    text: "1.2.3", example: "192.168.1.5",
                    errorMessage: "An address has four numbers, for example 192.168.1.5.")
            ),
        ])

    private static let text = Sample(
        name: "TextView",
        normal: TextView([Line("A line of text.", .emphasised)], plain: ["A line of text."]),
        more: TypeRole.allCases.map { role in
            ("as \(role)", TextView([Line([role.span("Bangkok Wedding")])], plain: ["Bangkok Wedding"]))
        } + [
            (
                "wrapped",
                TextView.wrapped("A text that is longer than the narrowest of all terminals is wrapped.")
            )
        ])
}
