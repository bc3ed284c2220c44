#ifndef FRAMEFAST_CMOSQUITTO_H
#define FRAMEFAST_CMOSQUITTO_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

#endif
