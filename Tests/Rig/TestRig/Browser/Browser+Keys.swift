extension Browser {
    /// A key without a character, with its code point in the WebDriver specification, section 17.4.2.
    public enum Key: String, Sendable {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case shift = "\u{E008}"
        case control = "\u{E009}"
        case escape = "\u{E00C}"
        case end = "\u{E010}"
        case home = "\u{E011}"
        case left = "\u{E012}"
        case up = "\u{E013}"
        case right = "\u{E014}"
        case down = "\u{E015}"
    }

    /// Presses and releases a key, while `modifier` is held.
    public func press(_ key: Key, with modifier: Key? = nil) throws {
        try pressKeys([key.rawValue], with: modifier)
    }

    /// Types a text, one key for each character.
    public func type(_ text: String, with modifier: Key? = nil) throws {
        try pressKeys(text.map { String($0) }, with: modifier)
    }

    private func pressKeys(_ keys: [String], with modifier: Key?) throws {
        func action(_ type: String, _ key: String) -> [String: Any] { ["type": type, "value": key] }
        var actions = keys.flatMap { [action("keyDown", $0), action("keyUp", $0)] }
        if let modifier {
            actions.insert(action("keyDown", modifier.rawValue), at: 0)
            actions.append(action("keyUp", modifier.rawValue))
        }
        let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        try perform("POST", "/actions", ["actions": [keyboard]])
    }

    /// Presses Tab until a condition of the page is true, for example that a button has the focus.
    ///
    /// - Parameter modifier: ``Key/shift`` to move backwards.
    public func pressTab(until condition: String, with modifier: Key? = nil) throws {
        for _ in 0..<Self.tabsMax {
            if try script("return Boolean(\(condition))", as: Bool.self) { return }
            try press(.tab, with: modifier)
        }
        throw WaitTimeout(
            description: "pressed Tab \(Self.tabsMax) times for \(condition); focus: "
                + (try script("return document.activeElement.outerHTML.slice(0, 200)", as: String.self)))
    }

    /// The maximum number of elements in a page that can take the focus.
    private static let tabsMax = 40
}
