/* term: the terminal: canvas out, keys in. The only curses file.
 * Handles no signal (the loop reads them from a descriptor) and never ends the program. */
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tui/keys.h"

char *tigetstr(const char *); /* <term.h> has a struct term of its own */

enum { ESC_MS = 25, DIRECT = 1 << 24 };

struct style_cell { /* what setcchar() wants for a role and level; have: worked out already */
    attr_t attrs;
    int pair;
    bool have;
};

struct term {
    SCREEN *screen;
    WINDOW *keys; /* a pad: reading keys from it refreshes nothing */
    struct theme theme;
    int colours;
    bool own_colours; /* -1 works as a colour */
    bool utf8, suspended;
    locale_t locale;
    char name[TERM_NAME];
    struct termios before, during;
    struct canvas shown; /* what the terminal has; cells of zero bytes: unknown */
    struct style_cell style[ROLES][101];
};

static bool says_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
    }
    return false;
}

/* The user's LC_CTYPE; where the machine lacks it (ssh passes it on) but it says UTF-8, C.UTF-8 will do. For this
 * thread alone, which also keeps it: a library in another thread may set the global one to C for a while, as
 * libsensors does when it reads its configuration. */
static void take_locale(struct term *t)
{
    t->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!t->locale && says_utf8())
        t->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (t->locale)
        uselocale(t->locale);
}

static void give_locale_back(struct term *t)
{
    if (!t->locale)
        return;
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(t->locale);
}

static bool wants_direct(const struct theme *theme)
{
    const char *v = getenv("COLORTERM");
    return v && theme_needs_rgb(theme) && (strcmp(v, "truecolor") == 0 || strcmp(v, "24bit") == 0);
}

/* The first type of the list that loads. */
static SCREEN *load(const char *term, bool direct, char *name)
{
    char names[TERM_NAMES][TERM_NAME];
    term_names(term, direct, names);
    for (int i = 0; names[i][0]; i++) {
        SCREEN *s = newterm(names[i], stdout, stdin);
        if (s) {
            memcpy(name, names[i], TERM_NAME);
            return s;
        }
    }
    return NULL;
}

static int count_colours(void)
{
    if (!has_colors() || start_color() == ERR)
        return 0;
    return COLORS > 256 ? DIRECT : COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

/* Keys as they come, but ^C and ^Z stay signals; ^S must not stop the output and us with it. */
static void set_modes(struct term *t)
{
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    typeahead(-1);
    set_escdelay(ESC_MS);
    curs_set(0);
    t->colours = count_colours();
    t->own_colours = t->colours && use_default_colors() == OK;
    if (tcgetattr(STDIN_FILENO, &t->during) == 0) {
        t->during.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
        tcsetattr(STDIN_FILENO, TCSANOW, &t->during);
        def_prog_mode();
    }
}

/* Both forms of the arrows, whichever mode the terminal is in: a fallback type may not know how to switch it. */
static void define_arrows(void)
{
    static const struct {
        char letter;
        int key;
    } arrows[] = {{'A', KEY_UP}, {'B', KEY_DOWN}, {'C', KEY_RIGHT}, {'D', KEY_LEFT}};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        char csi[] = {27, '[', arrows[i].letter, 0}, ss3[] = {27, 'O', arrows[i].letter, 0};
        define_key(csi, arrows[i].key);
        define_key(ss3, arrows[i].key);
    }
}

static int open_keys(struct term *t)
{
    t->keys = newpad(1, 1);
    if (!t->keys)
        return -ENOMEM;
    keypad(t->keys, TRUE);
    nodelay(t->keys, TRUE);
    define_arrows();
    return 0;
}

static void forget_shown(struct term *t)
{
    memset(t->shown.cell, 0, (size_t)t->shown.w * (size_t)t->shown.h * sizeof *t->shown.cell);
}

static int fit(struct term *t)
{
    struct winsize ws;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0 && ws.ws_col > 0 &&
        (ws.ws_row != LINES || ws.ws_col != COLS))
        resize_term(ws.ws_row, ws.ws_col);
    int code = canvas_resize(&t->shown, COLS, LINES);
    if (code)
        return code;
    forget_shown(t);
    clearok(curscr, TRUE);
    return 0;
}

/* Out to the shell's modes and in again. Until the first such return ncurses 6 hands its buffer over after every
 * movement of the cursor (lib_mvcur.c, _nc_mvcur), and a frame is eighty writes instead of one. */
static void settle(void)
{
    endwin();
    refresh();
}

static int open_screen(struct term *t, bool direct, struct err *err)
{
    const char *type = getenv("TERM");
    t->screen = load(type, direct, t->name);
    if (!t->screen)
        return err_set(err, -ENOTTY,
                       "TERM=%s is unknown and no common terminal type is installed "
                       "(package ncurses-base)",
                       type ? type : "");
    set_term(t->screen);
    char *cup = tigetstr("cup");
    if (!cup || cup == (char *)-1)
        return err_set(err, -ENOTTY, "TERM=%s cannot move its cursor; `benchtop run` needs no screen", t->name);
    set_modes(t);
    settle();
    int code = open_keys(t);
    if (!code)
        code = fit(t);
    return code ? err_set(err, code, "no memory for the screen") : 0;
}

int term_open(const struct theme *theme, struct term **ret, char *notice, size_t n, struct err *err)
{
    if (n)
        *notice = 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return err_set(err, -ENOTTY, "%s is not a terminal; `benchtop run` needs none",
                       isatty(STDIN_FILENO) ? "standard output" : "standard input");
    struct term *t = calloc(1, sizeof *t);
    if (!t)
        return err_set(err, -ENOMEM, "no memory for the screen");
    tcgetattr(STDIN_FILENO, &t->before);
    take_locale(t);
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    t->theme = *theme;
    int code = open_screen(t, wants_direct(theme), err);
    if (code) {
        term_close(t);
        return code;
    }
    const char *type = getenv("TERM");
    if (strcmp(t->name, type ? type : "") != 0 && t->colours != DIRECT && n)
        snprintf(notice, n, type && *type ? "TERM=%s is unknown, using %s" : "TERM%s is not set, using %s",
                 type ? type : "", t->name);
    *ret = t;
    return 0;
}

/* What still waits for a terminal that takes no bytes is thrown away, or the goodbye would wait behind it. */
static void drop_waiting_output(const struct term *t)
{
    if (!term_ready(t))
        tcflush(STDOUT_FILENO, TCOFLUSH);
}

void term_close(struct term *t)
{
    if (!t)
        return;
    if (t->screen) {
        set_term(t->screen);
        drop_waiting_output(t);
        if (t->keys)
            delwin(t->keys);
        if (!t->suspended)
            endwin();
        delscreen(t->screen);
        if (!t->suspended)
            tcsetattr(STDIN_FILENO, TCSANOW, &t->before);
    }
    give_locale_back(t);
    canvas_fini(&t->shown);
    free(t);
}

void term_size(const struct term *t, int *ret_w, int *ret_h)
{
    *ret_w = t->shown.w;
    *ret_h = t->shown.h;
}

/* The console of the kernel has block glyphs in its font but no braille. */
enum canvas_charset term_charset(const struct term *t)
{
    if (!t->utf8)
        return CHARSET_ASCII;
    return strncmp(t->name, "linux", 5) == 0 ? CHARSET_BLOCKS : CHARSET_BRAILLE;
}

int term_colours(const struct term *t)
{
    return t->colours;
}

static int pair_of(const struct term *t, const struct look *l)
{
    if (!t->colours || (l->fg < 0 && l->bg < 0))
        return 0;
    int fg = l->fg < 0 && !t->own_colours ? COLOR_WHITE : l->fg,
        bg = l->bg < 0 && !t->own_colours ? COLOR_BLACK : l->bg;
    int pair = alloc_pair(fg, bg);
    return pair < 0 ? 0 : pair;
}

static const struct style_cell *style_of(struct term *t, const struct cell *cell)
{
    int level = cell->level > 100 ? 100 : cell->level;
    struct style_cell *s = &t->style[cell->role % ROLES][level];
    if (!s->have) {
        struct look l = theme_look(&t->theme, (enum role)(cell->role % ROLES), level, t->colours);
        s->attrs = (l.bold ? A_BOLD : 0) | (l.dim ? A_DIM : 0) | (l.underline ? A_UNDERLINE : 0) |
                   (l.reverse ? A_REVERSE : 0);
        s->pair = pair_of(t, &l);
        s->have = true;
    }
    return s;
}

static void send_cell(struct term *t, int x, int y, const struct cell *cell)
{
    const struct style_cell *s = style_of(t, cell);
    attr_t attrs = (s->attrs | (cell->bold ? A_BOLD : 0)) ^ (cell->reverse ? A_REVERSE : 0);
    wchar_t text[2] = {(wchar_t)cell->ch, 0};
    int pair = s->pair;
    cchar_t cc;
    if (setcchar(&cc, text, attrs, 0, &pair) == OK)
        mvadd_wch(y, x, &cc); /* fails in the last cell, having written it */
}

static void send_row(struct term *t, int y, struct cell *was, const struct cell *now, int w)
{
    for (int x = 0; x < w; x++) {
        if (memcmp(&was[x], &now[x], sizeof *now) == 0)
            continue;
        was[x] = now[x];
        if (now[x].ch) /* a right half comes with its left one */
            send_cell(t, x, y, &now[x]);
    }
}

void term_draw(struct term *t, const struct canvas *c)
{
    if (t->suspended)
        return;
    int w = c->w < t->shown.w ? c->w : t->shown.w, h = c->h < t->shown.h ? c->h : t->shown.h;
    for (int y = 0; y < h; y++) {
        struct cell *was = t->shown.cell + (size_t)y * (size_t)t->shown.w;
        const struct cell *now = c->cell + (size_t)y * (size_t)c->w;
        if (memcmp(was, now, (size_t)w * sizeof *now) != 0)
            send_row(t, y, was, now, w);
    }
    refresh();
}

bool term_ready(const struct term *t)
{
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&p, 1, 0) != 0; /* a lost terminal is ready: the write says so */
}

void term_redraw(struct term *t)
{
    forget_shown(t);
    clearok(curscr, TRUE);
}

void term_resized(struct term *t)
{
    if (!t->suspended)
        fit(t);
}

static const struct {
    int curses, ours;
} key_map[] = {
    {KEY_UP, KEY_CODE_UP},   {KEY_DOWN, KEY_CODE_DOWN},     {KEY_LEFT, KEY_CODE_LEFT}, {KEY_RIGHT, KEY_CODE_RIGHT},
    {KEY_F(1), KEY_CODE_F1}, {KEY_ENTER, KEY_CODE_ENTER},   {'\r', KEY_CODE_ENTER},    {'\n', KEY_CODE_ENTER},
    {27, KEY_CODE_ESC},      {KEY_RESIZE, KEY_CODE_RESIZE},
};

static int translate(int ch)
{
    for (size_t i = 0; i < sizeof key_map / sizeof *key_map; i++)
        if (key_map[i].curses == ch)
            return key_map[i].ours;
    return ch < KEY_MIN ? ch : 0; /* a curses key without meaning here: a key, but none we know */
}

/* getch() says ERR for nothing and for the end alike, so the descriptor is asked first. */
static bool lost(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&p, 1, 0) <= 0)
        return false;
    if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    int waiting = 0;
    return (p.revents & POLLIN) && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0;
}

int term_key(struct term *t, bool *ret_gone)
{
    *ret_gone = lost();
    if (*ret_gone || t->suspended)
        return -1;
    int ch = wgetch(t->keys);
    return ch == ERR ? -1 : translate(ch);
}

void term_suspend(struct term *t)
{
    if (t->suspended)
        return;
    endwin();
    tcsetattr(STDIN_FILENO, TCSANOW, &t->before);
    t->suspended = true;
}

void term_resume(struct term *t)
{
    t->suspended = false;
    tcsetattr(STDIN_FILENO, TCSANOW, &t->during); /* stops us here when we were sent to the background */
    reset_prog_mode();
    fit(t);
    curs_set(0);
}
