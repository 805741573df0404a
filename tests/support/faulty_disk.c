/* A disk that fails on command, for LD_PRELOAD.
 *
 * FAULTS names a directory. While a file of one of these names is in it, calls on files whose path
 * contains FAULTS_FOR (default "games.") fail: "full" (writes: ENOSPC), "sync" (fsync: EIO),
 * "readonly" (opening for writing: EROFS). A file "clock" holds seconds that are added to the wall
 * clock of the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int on(const char *fault) {
    char path[512];
    const char *directory = getenv("FAULTS");
    if (!directory) return 0;
    snprintf(path, sizeof path, "%s/%s", directory, fault);
    return access(path, F_OK) == 0;
}

static int concerns(const char *path) {
    const char *part = getenv("FAULTS_FOR");
    return strstr(path, part ? part : "games.") != NULL;
}

static int ours(int fd) {
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return concerns(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FULL(fd)                      \
    if (on("full") && ours(fd)) {     \
        errno = ENOSPC;               \
        return -1;                    \
    }
#define SYNC(fd)                      \
    if (on("sync") && ours(fd)) {     \
        errno = EIO;                  \
        return -1;                    \
    }

ssize_t write(int fd, const void *data, size_t size) {
    FULL(fd)
    return REAL(write)(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    FULL(fd)
    return REAL(pwrite)(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    FULL(fd)
    return REAL(pwrite64)(fd, data, size, at);
}

ssize_t sendfile(int fd, int from, off_t *at, size_t size) {
    FULL(fd)
    return REAL(sendfile)(fd, from, at, size);
}

ssize_t sendfile64(int fd, int from, off64_t *at, size_t size) {
    FULL(fd)
    return REAL(sendfile64)(fd, from, at, size);
}

int ftruncate64(int fd, off64_t size) {
    FULL(fd)
    return REAL(ftruncate64)(fd, size);
}

int posix_fallocate64(int fd, off64_t at, off64_t size) {
    if (on("full") && ours(fd)) return ENOSPC;
    return REAL(posix_fallocate64)(fd, at, size);
}

int fsync(int fd) {
    SYNC(fd)
    return REAL(fsync)(fd);
}

int fdatasync(int fd) {
    SYNC(fd)
    return REAL(fdatasync)(fd);
}

static int refuses(const char *path, int flags) {
    return on("readonly") && (flags & O_ACCMODE) != O_RDONLY && concerns(path);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    if (refuses(path, flags)) {
        errno = EROFS;
        return -1;
    }
    return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    if (refuses(path, flags)) {
        errno = EROFS;
        return -1;
    }
    return REAL(open64)(path, flags, mode);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int answer = REAL(clock_gettime)(clock, now);
    const char *directory = getenv("FAULTS");
    if (clock == CLOCK_REALTIME && directory) {
        char path[512];
        snprintf(path, sizeof path, "%s/clock", directory);
        FILE *file = fopen(path, "r");
        long jump = 0;
        if (file) {
            if (fscanf(file, "%ld", &jump) == 1) now->tv_sec += jump;
            fclose(file);
        }
    }
    return answer;
}
