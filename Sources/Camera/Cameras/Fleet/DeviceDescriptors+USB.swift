public import Makers
public import USBHotplug

extension DeviceDescriptors {
    /// Creates descriptors from the values that libusb and sysfs report.
    public init(_ device: USBDevice) {
        self.init(
            vendorID: device.vendorID, productID: device.productID, deviceClass: device.deviceClass,
            configurationCount: device.configurationCount,
            interfaces: device.interfaces.map {
                .init(
                    interfaceClass: $0.classCode, interfaceSubclass: $0.subclassCode,
                    interfaceProtocol: $0.protocolCode)
            },
            manufacturer: device.manufacturer, product: device.product, serial: device.serial,
            interruptEndpoint: device.interruptEndpoint.map {
                .init(maxPacket: $0.maxPacketBytes, interval: $0.interval)
            }, properties: device.properties)
    }
}
