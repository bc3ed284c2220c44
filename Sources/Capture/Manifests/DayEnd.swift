import Foundation

/// When days end on this computer.
enum DayEnd {
    /// The first moment of the day after the one of `date`.
    static func next(after date: Date, _ calendar: Calendar) -> Date {
        let begun = calendar.startOfDay(for: date)
        // Days have 23 to 25 hours, and some begin at one o'clock.
        let next = calendar.date(byAdding: .day, value: 1, to: begun) ?? begun.addingTimeInterval(86_400)
        return calendar.startOfDay(for: next)
    }
}
