/// A setting as gphoto2 prints it.
struct StockSetting {
    var isReadOnly = false
    var current = ""
    var choices: [String] = []
}

extension StockDriver {
    /// Sets and reads settings in one gphoto2 run, in order: `name=word` sets, `name` reads.
    /// A step that starts with `-` is an argument of gphoto2.
    ///
    /// - Returns: The read settings, in order, and the complete output.
    func configure(_ steps: [String]) throws -> (settings: [StockSetting], text: String) {
        let text = try run(
            steps.flatMap { step in
                step.hasPrefix("-") ? [step] : [step.contains("=") ? "--set-config" : "--get-config", step]
            })
        var settings: [StockSetting] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("Label:") { settings.append(StockSetting()) }
            guard !settings.isEmpty else { continue }
            if line.hasPrefix("Readonly: ") { settings[settings.count - 1].isReadOnly = line.hasSuffix("1") }
            if line.hasPrefix("Current: ") {
                settings[settings.count - 1].current = String(line.dropFirst(9))
            }
            if line.hasPrefix("Choice: ") {
                let word = line.dropFirst(8).drop { $0 != " " }.dropFirst()
                settings[settings.count - 1].choices.append(String(word))
            }
        }
        return (settings, text)
    }
}
