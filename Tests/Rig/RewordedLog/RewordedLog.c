// Replaces texts in libgphoto2's packet log with texts that the packet tap
// (Sources/CModules/CGPhoto2/PacketTap.c) does not recognize.
//
// A preloaded library (LD_PRELOAD) cannot replace the worker's own gp_log_data, because the program's symbols take
// precedence. Therefore, this is an audit library (LD_AUDIT, rtld-audit(7)). The dynamic linker asks an audit
// library which function to use for each call from one object to another.
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

typedef void (*LogData)(const char *domain, const char *data, unsigned int size, const char *format, ...);

static LogData log_data;

static void log_data_reworded(const char *domain, const char *data, unsigned int size, const char *format, ...) {
    (void)domain;
    (void)format;
    log_data("reworded", data, size, "reworded");
}

unsigned int la_version(unsigned int version) {
    (void)version;
    return LAV_CURRENT;
}

unsigned int la_objopen(struct link_map *object, Lmid_t space, uintptr_t *cookie) {
    (void)object;
    (void)space;
    (void)cookie;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, unsigned int *flags,
                       const char *name) {
    (void)index;
    (void)from;
    (void)to;
    // A lookup by dlsym() returns the real function. The program uses such a lookup to check that its own
    // function is called.
    if (*flags & LA_SYMB_DLSYM || strcmp(name, "gp_log_data") != 0) return symbol->st_value;
    log_data = (LogData)symbol->st_value;
    return (uintptr_t)log_data_reworded;
}
