import Testing

@testable import USBHotplug

@Suite struct DescriptorTests {
}
