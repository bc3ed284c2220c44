/// One photo, with one badge for all stages from the camera to the destinations.
public struct CaptureRowView: Component, Equatable {
    /// The widths of the state's word, in cells. `wide` fits the longest usual word, `Retrying in 8 s`.
    /// `narrow` fits `Delivered`.
    static let wordCells = (wide: 15, narrow: 9)

    /// The state.
    public let badge: BadgeView
    /// The file name.
    public let name: String
    /// The size, as text.
    public let size: String
    /// The age, as text.
    public let age: String
    /// The camera, or `nil` if the camera is clear from the context.
    public let camera: String?
    /// The width of the name, in cells, which aligns the rows of a list.
    public let nameCells: Int
    /// Whether the row has the focus.
    public let isFocused: Bool
    /// The frame number of the spinner.
    public let frame: Int

    /// Creates a row.
    public init(
        _ badge: BadgeView, name: String, size: String, age: String, camera: String? = nil,
        nameCells: Int = 0, isFocused: Bool = false, frame: Int = 0
    ) {
        self.nameCells = nameCells
        self.badge = badge
        self.name = name
        self.size = size
        self.age = age
        self.camera = camera
        self.isFocused = isFocused
        self.frame = frame
    }

    /// Returns one line.
    public func lines(_ layout: Layout) -> [Line] {
        row(wordCells: layout.isWide ? Self.wordCells.wide : Self.wordCells.narrow).lines(layout)
    }

    /// Returns one line with all facts.
    public func plain() -> [String] { row(wordCells: 0).plain().map { "photo " + $0 } }

    private func row(wordCells: Int) -> RowView {
        RowView(
            badge, title: name, truncatesTitleInMiddle: true,
            caption: [age, camera].compactMap { $0 }.joined(separator: ", "),
            truncatesCaptionInMiddle: camera != nil, figure: size,
            isFocused: isFocused, wordCells: wordCells, titleCells: nameCells, frame: frame)
    }
}
