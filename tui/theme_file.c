/* theme_file: finds and reads themes in btop's .theme syntax: lines of theme[key]="value".
 * Knows no palette and no terminal: what it makes is a table of RGB values. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/theme.h"

enum { MOST_BYTES = 64 * 1024, SUFFIX = sizeof ".theme" - 1 };

enum key {
    K_MAIN_BG,
    K_MAIN_FG,
    K_TITLE,
    K_HI_FG,
    K_SELECTED_BG,
    K_SELECTED_FG,
    K_INACTIVE_FG,
    K_DIV_LINE,
    K_GOOD_FG,
    K_WARN_FG,
    K_ERR_FG,
    K_DOWNLOAD_START,
    K_DOWNLOAD_MID,
    K_DOWNLOAD_END,
    K_UPLOAD_START,
    K_UPLOAD_MID,
    K_UPLOAD_END,
    K_CPU_START,
    K_CPU_MID,
    K_CPU_END,
    K_LAT_START,
    K_LAT_MID,
    K_LAT_END,
    K_TEMP_START,
    K_TEMP_MID,
    K_TEMP_END,
    K_CACHED_START,
    K_CACHED_MID,
    K_CACHED_END,
    KEYS
};

/* btop's names and, behind them, ours (good_fg, warn_fg, err_fg, lat_*), which btop skips. The values stand in for
 * keys that a file has not; NULL: taken from other keys below. */
static const struct {
    const char *name, *fallback;
} keys[KEYS] = {
    [K_MAIN_BG] = {"main_bg", "#12161b"},
    [K_MAIN_FG] = {"main_fg", "#c9d1d6"},
    [K_TITLE] = {"title", "#eef3f5"},
    [K_HI_FG] = {"hi_fg", "#e8a33d"},
    [K_SELECTED_BG] = {"selected_bg", "#27445a"},
    [K_SELECTED_FG] = {"selected_fg", "#ffffff"},
    [K_INACTIVE_FG] = {"inactive_fg", "#66727c"},
    [K_DIV_LINE] = {"div_line", "#45525c"},
    [K_GOOD_FG] = {"good_fg", NULL},
    [K_WARN_FG] = {"warn_fg", NULL},
    [K_ERR_FG] = {"err_fg", NULL},
    [K_DOWNLOAD_START] = {"download_start", "#2b7a78"},
    [K_DOWNLOAD_MID] = {"download_mid", "#35aaa0"},
    [K_DOWNLOAD_END] = {"download_end", "#7fe3d2"},
    [K_UPLOAD_START] = {"upload_start", "#8a4f7d"},
    [K_UPLOAD_MID] = {"upload_mid", "#bf6ba5"},
    [K_UPLOAD_END] = {"upload_end", "#f0a6d4"},
    [K_CPU_START] = {"cpu_start", "#56b366"},
    [K_CPU_MID] = {"cpu_mid", "#d9b23c"},
    [K_CPU_END] = {"cpu_end", "#e25548"},
    [K_LAT_START] = {"lat_start", NULL},
    [K_LAT_MID] = {"lat_mid", NULL},
    [K_LAT_END] = {"lat_end", NULL},
    [K_TEMP_START] = {"temp_start", "#4f8fd0"},
    [K_TEMP_MID] = {"temp_mid", "#c79fd0"},
    [K_TEMP_END] = {"temp_end", "#e25548"},
    [K_CACHED_START] = {"cached_start", "#4a6fc4"},
    [K_CACHED_MID] = {"cached_mid", "#6f9ce8"},
    [K_CACHED_END] = {"cached_end", "#b5d0ff"},
};

struct mapping {
    enum role role;
    enum key key;
};
static const struct mapping flat[] = {
    {ROLE_TEXT, K_MAIN_FG}, {ROLE_DIM, K_INACTIVE_FG}, {ROLE_TITLE, K_TITLE},
    {ROLE_KEY, K_HI_FG},    {ROLE_BORDER, K_DIV_LINE}, {ROLE_SELECTED, K_SELECTED_FG},
    {ROLE_GOOD, K_GOOD_FG}, {ROLE_WARN, K_WARN_FG},    {ROLE_ERROR, K_ERR_FG},
};
static const struct mapping gradient[] = {
    /* key: the start; mid and end follow it */
    {ROLE_READ, K_DOWNLOAD_START}, {ROLE_WRITE, K_UPLOAD_START}, {ROLE_LATENCY, K_LAT_START},
    {ROLE_CPU, K_CPU_START},       {ROLE_TEMP, K_TEMP_START},    {ROLE_QUEUE, K_CACHED_START},
};

struct values {
    struct rgb c[KEYS];
    bool given[KEYS];
};

static int hex(char c) /* of a hex digit */
{
    return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* "#RRGGBB" or "#BW" (a grey). */
static bool parse_hex(const char *s, struct rgb *ret)
{
    size_t n = strlen(s);
    if ((n != 2 && n != 6) || strspn(s, "0123456789abcdefABCDEF") != n)
        return false;
    uint8_t v[3];
    for (size_t i = 0; i < 3; i++) {
        const char *p = n == 6 ? s + 2 * i : s;
        v[i] = (uint8_t)(hex(p[0]) << 4 | hex(p[1]));
    }
    *ret = (struct rgb){v[0], v[1], v[2], true, 0};
    return true;
}

static bool parse_decimal(const char *s, struct rgb *ret)
{
    unsigned r, g, b;
    int end = -1;
    if (strspn(s, "0123456789 \t") != strlen(s) || sscanf(s, "%3u %3u %3u %n", &r, &g, &b, &end) != 3)
        return false;
    if (end < 0 || s[end] || r > 255 || g > 255 || b > 255)
        return false;
    *ret = (struct rgb){(uint8_t)r, (uint8_t)g, (uint8_t)b, true, 0};
    return true;
}

static bool parse_value(const char *s, struct rgb *ret)
{
    if (!*s) {
        *ret = (struct rgb){0};
        return true;
    }
    return *s == '#' ? parse_hex(s + 1, ret) : parse_decimal(s, ret);
}

/* The value of a line in place: what stands in quotes, or up to the end without trailing blanks. */
static char *value_of(char *s)
{
    s += strspn(s, " \t");
    if (*s == '"' || *s == '\'') {
        char *end = strchr(s + 1, *s);
        if (end)
            *end = 0;
        return s + 1;
    }
    for (size_t n = strlen(s); n > 0 && isspace((unsigned char)s[n - 1]); n--)
        s[n - 1] = 0;
    return s;
}

static void parse_line(char *line, struct values *v)
{
    line += strspn(line, " \t");
    char *open = *line == '#' ? NULL : strchr(line, '[');
    char *shut = open ? strchr(open, ']') : NULL;
    char *eq = shut ? strchr(shut, '=') : NULL;
    if (!eq)
        return;
    *shut = 0;
    for (int k = 0; k < KEYS; k++)
        if (strcmp(open + 1, keys[k].name) == 0 && parse_value(value_of(eq + 1), &v->c[k]))
            v->given[k] = true;
}

static uint8_t between(int a, int b, int i, int n)
{
    return (uint8_t)(a + (b - a) * i / n);
}

static void ramp(struct rgb *dst, int n, struct rgb a, struct rgb b)
{
    for (int i = 0; i <= n; i++)
        dst[i] = (struct rgb){between(a.r, b.r, i, n), between(a.g, b.g, i, n), between(a.b, b.b, i, n), true, 0};
}

/* 101 steps of start, mid and end; mid, or both, may be unset. */
static void fill_gradient(struct rgb *dst, const struct rgb *c)
{
    if (c[0].set && c[1].set && c[2].set) {
        ramp(dst, 50, c[0], c[1]);
        ramp(dst + 50, 50, c[1], c[2]);
    } else if (c[0].set && c[2].set) {
        ramp(dst, 100, c[0], c[2]);
    } else
        for (int i = 0; i <= 100; i++)
            dst[i] = c[0];
}

/* A gradient comes from one source: a file with a start alone means a flat one, not our middle. */
static void fill_missing(struct values *v)
{
    for (int k = 0; k < KEYS; k++) {
        bool of_gradient = k >= K_DOWNLOAD_START && (k - K_DOWNLOAD_START) % 3 != 0;
        int start = k - (k >= K_DOWNLOAD_START ? (k - K_DOWNLOAD_START) % 3 : 0);
        if (!v->given[k] && keys[k].fallback && !(of_gradient && v->given[start]))
            parse_value(keys[k].fallback, &v->c[k]);
    }
    if (!v->given[K_LAT_START])
        memcpy(&v->c[K_LAT_START], &v->c[K_CPU_START], 3 * sizeof *v->c);
    static const int from[] = {K_CPU_START, K_CPU_MID, K_CPU_END};
    for (int i = 0; i < 3; i++)
        if (!v->given[K_GOOD_FG + i])
            v->c[K_GOOD_FG + i] = v->c[from[i]].set ? v->c[from[i]] : v->c[K_CPU_START];
}

void theme_parse(const char *text, struct theme *ret)
{
    struct values v = {0};
    char *copy = strdup(text), *rest = copy;
    for (char *line; copy && (line = strsep(&rest, "\n"));)
        parse_line(line, &v);
    free(copy);
    fill_missing(&v);
    ret->bg = v.c[K_MAIN_BG];
    ret->selected_bg = v.c[K_SELECTED_BG];
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++)
        ret->fg[flat[i].role][0] = v.c[flat[i].key];
    for (size_t i = 0; i < sizeof gradient / sizeof *gradient; i++)
        fill_gradient(ret->fg[gradient[i].role], &v.c[gradient[i].key]);
}

/* The folders themes are looked for in, best first: row i as a path, false when there is none there. */
static bool folder(size_t i, char *dst, size_t n)
{
    static const struct {
        const char *base, *path; /* base: "@" beside the program, "~" the user's settings, "" as it stands */
    } rows[] = {
        {"", "themes"},
        {"@", "../share/benchtop/themes"},
        {"@", "../themes"},
        {"~", "benchtop/themes"},
        {"~", "btop/themes"},
        {"", "/usr/share/benchtop/themes"},
        {"", "/usr/local/share/benchtop/themes"},
        {"", "/usr/share/btop/themes"},
        {"", "/usr/local/share/btop/themes"},
    };
    char base[PATH_MAX] = "";
    if (i >= sizeof rows / sizeof *rows) {
        *dst = 0;
        return false;
    }
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    ssize_t len = 0;
    if (rows[i].base[0] == '@' && (len = readlink("/proc/self/exe", base, sizeof base - 1)) > 0) {
        base[len] = 0;
        *(strrchr(base, '/') + 1) = 0;
    } else if (rows[i].base[0] == '~' && xdg && *xdg)
        snprintf(base, sizeof base, "%s/", xdg);
    else if (rows[i].base[0] == '~')
        snprintf(base, sizeof base, "%s/.config/", home ? home : "");
    snprintf(dst, n, "%s%s", base, rows[i].path);
    return true;
}

static bool is_theme_file(const char *name)
{
    size_t n = strlen(name);
    return n > SUFFIX && strcmp(name + n - SUFFIX, ".theme") == 0;
}

void theme_each(void (*each)(void *arg, const char *name, const char *where), void *arg)
{
    char dir[PATH_MAX + 64];
    each(arg, "terminal", "built in");
    for (size_t i = 0; folder(i, dir, sizeof dir); i++) {
        struct dirent **entry;
        int n = scandir(dir, &entry, NULL, alphasort);
        for (int k = 0; k < n; k++) {
            if (is_theme_file(entry[k]->d_name)) {
                entry[k]->d_name[strlen(entry[k]->d_name) - SUFFIX] = 0;
                each(arg, entry[k]->d_name, dir);
            }
            free(entry[k]);
        }
        if (n >= 0)
            free(entry);
    }
}

static int read_file(const char *path, char **ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    char *text = calloc(1, MOST_BYTES + 1);
    ssize_t got = 0, len = 0;
    while (text && len < MOST_BYTES && (got = read(fd, text + len, (size_t)(MOST_BYTES - len))) > 0)
        len += got;
    int code = !text ? -ENOMEM : got < 0 ? -errno : 0;
    close(fd);
    if (code)
        free(text);
    else
        *ret = text;
    return code;
}

static int find_and_read(const char *name, char **ret)
{
    char dir[PATH_MAX + 64], path[PATH_MAX + 512];
    if (strchr(name, '/') || is_theme_file(name))
        return read_file(name, ret);
    int code = -ENOENT;
    for (size_t i = 0; code == -ENOENT && folder(i, dir, sizeof dir); i++) {
        snprintf(path, sizeof path, "%s/%s.theme", dir, name);
        code = read_file(path, ret);
        code = code == -ENOTDIR ? -ENOENT : code;
    }
    return code;
}

int theme_load(const char *name, struct theme *ret, struct err *err)
{
    const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org: any value, unless asked otherwise */
    if (!name && no_colour && *no_colour) {
        theme_mono(ret);
        return 0;
    }
    if (!name || strcmp(name, "terminal") == 0) {
        theme_terminal(ret);
        return 0;
    }
    char *text;
    int code = *name ? find_and_read(name, &text) : -ENOENT;
    if (code == -ENOENT)
        return err_set(err, code, "theme=%s: there is no such theme; `benchtop list themes` names those there are",
                       name);
    if (code)
        return err_set(err, code, "theme=%s: cannot be read: %s", name, strerror(-code));
    const char *slash = strrchr(name, '/');
    *ret = (struct theme){0};
    snprintf(ret->name, sizeof ret->name, "%s", slash ? slash + 1 : name);
    theme_parse(text, ret);
    free(text);
    return 0;
}
