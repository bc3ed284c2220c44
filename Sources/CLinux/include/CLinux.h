#ifndef FRAMEFAST_CLINUX_H
#define FRAMEFAST_CLINUX_H

// The few Linux calls that Swift's Glibc module does not have. No system headers here: with member import
// visibility, types that this header brought in would seem to belong to this module.

/// renameat2(2) with RENAME_NOREPLACE between two paths: fails with EEXIST instead of replacing. Sets errno.
int framefast_rename_noreplace(const char *from, const char *to);

#endif
