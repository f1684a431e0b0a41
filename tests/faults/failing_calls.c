/* File operations that fail: the n-th below one folder, counted through every library of the process.

   Preloaded, so SQLite's calls and Python's meet the same disk. `arm` says which folder, which fault and which
   operation; what lies elsewhere is not counted and never fails. Nothing is synced: a sweep is about errors,
   the power cut has its own test. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, FULL, BROKEN, SHORT, INTERRUPTED, KILLED };
enum kind { READING, WRITING, RESIZING, SYNCING, MAKING, LINKING, NAMING, OPENING, KINDS };

static const char MEETS[][KINDS] = {
    [NONE] = {0},
    [FULL] = {[WRITING] = 1, [RESIZING] = 1, [SYNCING] = 1, [MAKING] = 1, [LINKING] = 1},
    [BROKEN] = {1, 1, 1, 1, 1, 1, 1, 1},
    [SHORT] = {[WRITING] = 1},
    [INTERRUPTED] = {[READING] = 1, [WRITING] = 1, [MAKING] = 1, [OPENING] = 1},
    [KILLED] = {[WRITING] = 1, [RESIZING] = 1, [SYNCING] = 1, [MAKING] = 1, [LINKING] = 1, [NAMING] = 1},
};

static enum fault fault;
static long at, seen[KINDS], met, lasts;
static char below[4096], tracked[65536];
static int armed;

/* Let `many` operations fail from the n-th on that this fault can meet. */
void arm(const char *folder, int which, long n, long many)
{
    strncpy(below, folder, sizeof below - 1);
    memset(seen, 0, sizeof seen);
    fault = which, at = n, lasts = many, met = 0, armed = 1;
}

void disarm(void)
{
    armed = 0;
}

/* Return how many operations since `arm` a fault could have met. */
long could_meet(int which)
{
    long sum = 0;
    for (int kind = 0; kind < KINDS; ++kind)
        sum += MEETS[which][kind] ? seen[kind] : 0;
    return sum;
}

static int here(const char *path)
{
    static char cwd[4096];
    if (!armed || !path)
        return 0;
    if (path[0] == '/')
        return strncmp(path, below, strlen(below)) == 0;
    return getcwd(cwd, sizeof cwd) && strncmp(cwd, below, strlen(below)) == 0;
}

static int ours(int handle)
{
    return armed && handle >= 0 && handle < (int)sizeof tracked && tracked[handle];
}

enum how { WELL, FAILS, HALF, DIES };

/* Count an operation and return how it ends, with errno set where it fails. */
static enum how ends(enum kind kind)
{
    static const int ERRORS[] = {[FULL] = ENOSPC, [BROKEN] = EIO, [INTERRUPTED] = EINTR};
    ++seen[kind];
    if (!MEETS[fault][kind] || ++met < at || met >= at + lasts)
        return WELL;
    if (fault == SHORT)
        return HALF;
    if (fault == KILLED && kind == WRITING)
        return DIES;
    if (fault == KILLED)
        kill(getpid(), SIGKILL);
    errno = ERRORS[fault];
    return FAILS;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);

#define OPENED(name) \
    int name(const char *path, int flags, ...) \
    { \
        REAL(name) \
        va_list rest; \
        va_start(rest, flags); \
        int mode = va_arg(rest, int), mine = here(path); \
        va_end(rest); \
        if (mine && ends(flags & O_CREAT && access(path, F_OK) ? MAKING : OPENING) == FAILS) \
            return -1; \
        int handle = real(path, flags, mode); \
        if (handle >= 0 && handle < (int)sizeof tracked) \
            tracked[handle] = mine; \
        return handle; \
    }
OPENED(open)
OPENED(open64)

int close(int handle)
{
    REAL(close)
    if (handle >= 0 && handle < (int)sizeof tracked)
        tracked[handle] = 0;
    return real(handle);
}

#define TRANSFERRED(name, kind, parameters, whole, half) \
    ssize_t name parameters \
    { \
        REAL(name) \
        enum how how = ours(handle) ? ends(kind) : WELL; \
        if (how == FAILS) \
            return -1; \
        ssize_t done = how == WELL || size < 2 ? whole : half; \
        if (how == DIES) \
            kill(getpid(), SIGKILL); \
        return done; \
    }
TRANSFERRED(read, READING, (int handle, void *into, size_t size), real(handle, into, size),
            real(handle, into, size / 2))
TRANSFERRED(write, WRITING, (int handle, const void *data, size_t size), real(handle, data, size),
            real(handle, data, size / 2))
TRANSFERRED(pread, READING, (int handle, void *into, size_t size, off_t offset),
            real(handle, into, size, offset), real(handle, into, size / 2, offset))
TRANSFERRED(pread64, READING, (int handle, void *into, size_t size, off64_t offset),
            real(handle, into, size, offset), real(handle, into, size / 2, offset))
TRANSFERRED(pwrite, WRITING, (int handle, const void *data, size_t size, off_t offset),
            real(handle, data, size, offset), real(handle, data, size / 2, offset))
TRANSFERRED(pwrite64, WRITING, (int handle, const void *data, size_t size, off64_t offset),
            real(handle, data, size, offset), real(handle, data, size / 2, offset))
TRANSFERRED(sendfile, WRITING, (int handle, int from, off_t *offset, size_t size),
            real(handle, from, offset, size), real(handle, from, offset, size / 2))
TRANSFERRED(sendfile64, WRITING, (int handle, int from, off64_t *offset, size_t size),
            real(handle, from, offset, size), real(handle, from, offset, size / 2))

#define SYNCED(name) \
    int name(int handle) \
    { \
        REAL(name) \
        if (!armed) \
            return real(handle); \
        return ours(handle) && ends(SYNCING) == FAILS ? -1 : 0; \
    }
SYNCED(fsync)
SYNCED(fdatasync)

#define SIMPLE(name, kind, condition, parameters, call) \
    int name parameters \
    { \
        REAL(name) \
        return condition && ends(kind) == FAILS ? -1 : call; \
    }
SIMPLE(ftruncate, RESIZING, ours(handle), (int handle, off_t size), real(handle, size))
SIMPLE(ftruncate64, RESIZING, ours(handle), (int handle, off64_t size), real(handle, size))
SIMPLE(rename, NAMING, here(path), (const char *path, const char *to), real(path, to))
SIMPLE(link, LINKING, here(path), (const char *path, const char *to), real(path, to))
SIMPLE(unlink, NAMING, here(path), (const char *path), real(path))
SIMPLE(mkdir, LINKING, here(path), (const char *path, mode_t mode), real(path, mode))
SIMPLE(unlinkat, NAMING, (path[0] == '/' ? here(path) : ours(folder)), (int folder, const char *path, int flags),
       real(folder, path, flags))
SIMPLE(rmdir, NAMING, here(path), (const char *path), real(path))
