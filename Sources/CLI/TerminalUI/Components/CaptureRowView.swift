/// One shot with the single badge of its whole way.
public struct CaptureRowView: Component, Equatable {
    /// Cells of the longest usual word of a photo's state, `Retrying in 8 s`, and of the longest that lasts.
    static let wordCells = (wide: 15, narrow: 9)

    /// Its state.
    public let badge: BadgeView
    /// Its file's name.
    public let name: String
    /// Its size, for people.
    public let size: String
    /// How long ago, for people.
    public let age: String
    /// Where it comes from; `nil` where that is clear.
    public let camera: String?
    /// Cells of the name that the rows of one list share.
    public let nameCells: Int
    /// Whether it has the focus.
    public let isFocused: Bool
    /// Which picture of the spinner.
    public let frame: Int

    /// A photo.
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

    /// One line.
    public func lines(_ layout: Layout) -> [Line] {
        row(wordCells: layout.isWide ? Self.wordCells.wide : Self.wordCells.narrow).lines(layout)
    }

    /// One line with everything.
    public func plain() -> [String] { row(wordCells: 0).plain().map { "photo " + $0 } }

    private func row(wordCells: Int) -> RowView {
        RowView(
            badge, title: name, endsMatter: true,
            caption: [age, camera].compactMap { $0 }.joined(separator: ", "),
            captionEndsMatter: camera != nil, figure: size,
            isFocused: isFocused, wordCells: wordCells, titleCells: nameCells, frame: frame)
    }
}
