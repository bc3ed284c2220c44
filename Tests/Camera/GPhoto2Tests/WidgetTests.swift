import CGPhoto2
import Testing

@testable import GPhoto2

/// Tests of the text forms of the driver's values.
@Suite struct WidgetTests {
    @Test(
        arguments: [
            (5200, "5200"), (-0.5, "-0.5"), (1e30, "1e+30"), (.infinity, "inf"), (.nan, "nan"),
        ] as [(Float, String)])
    func `reads any value of a range widget, even infinity and NaN`(number: Float, text: String) throws {
        var created: OpaquePointer?
        gp_widget_new(GP_WIDGET_RANGE, "Color Temperature", &created)
        let widget = try #require(created)
        defer { gp_widget_free(widget) }
        var value = number
        gp_widget_set_value(widget, &value)
        gp_widget_set_range(widget, 0, number, 1)
        let entry = try #require(Widget.entry(widget))
        #expect(entry.value == text)
        #expect((entry.range != nil) == number.isFinite)
    }
}
