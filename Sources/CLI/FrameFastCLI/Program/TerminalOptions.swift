public import ArgumentParser
public import TerminalUI

extension ColorChoice: ExpressibleByArgument {}
extension Contrast: ExpressibleByArgument {}

/// The colours that a person chose.
enum ThemeChoice: String, CaseIterable, ExpressibleByArgument {
    /// The colours that suit the terminal's background.
    case auto
    case dark, light
    /// The 16 colours of the terminal's own theme.
    case terminal

    /// The palette, or `nil` to detect the terminal's background.
    var palette: Palette? {
        switch self {
        case .auto: nil
        case .dark: .dark
        case .light: .light
        case .terminal: .terminal
        }
    }
}
