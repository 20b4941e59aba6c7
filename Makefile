# benchtop: make deps | make | make run | make check | make asan | make tsan | make bench | make install
# Needs nothing but make before `make deps` has run (no pkg-config, no compiler).

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= gcc
BUILD   ?= build
CFLAGS  ?= -O2 -g
SAN     ?=
V       ?=# V=1 shows whole command lines
Q       := $(if $(V),,@)
VERSION := 0.1.0

WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wformat=2 $(if $(WERROR),-Werror)
ALLCF  := -std=gnu11 -D_GNU_SOURCE -DBENCHTOP_VERSION='"$(VERSION)"' -I. -pthread -MMD -MP $(WARN) $(CFLAGS) $(SAN)
LIBS   := -lncursesw -ltinfo -laio -luring -lsensors -lblkid -lmount -ljansson -lm -pthread

SRC    := $(wildcard core/*.c engine/*.c engine/backends/*.c monitors/*.c results/*.c tui/*.c tui/screens/*.c tui/widgets/*.c cli/*.c)
OBJ    := $(SRC:%.c=$(BUILD)/%.o)
LIBOBJ := $(filter-out $(BUILD)/cli/main.o,$(OBJ))
TESTS  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*_test.c))
HELP   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(filter-out $(wildcard tests/*_test.c),$(wildcard tests/*.c)))

.PHONY: all deps run check asan tsan bench install clean format
all: $(BUILD)/benchtop

$(BUILD)/benchtop: $(OBJ)
	@echo '  LD  $@'
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC  $<'
	$(Q)$(CC) $(ALLCF) -c -o $@ $<

# One library for the tests: what a test does not call, it does not link.
$(BUILD)/libbenchtop.a: $(LIBOBJ)
	@echo '  AR  $@'
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(BUILD)/libbenchtop.a
	@echo '  LD  $@'
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(LDFLAGS) -lcheck -lsubunit -lrt -lz $(LIBS)

# Programs the end-to-end tests use (tests/NAME.c without _test).
$(HELP): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libbenchtop.a
	@echo '  LD  $@'
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(LDFLAGS) $(LIBS)

deps:
	sh tests/deps.sh

run: all
	$(BUILD)/benchtop --run

check: all $(TESTS) $(HELP)
	BUILD=$(BUILD) sh tests/run.sh

asan:
	$(MAKE) BUILD=build/asan CFLAGS="-O1 -g -fno-omit-frame-pointer" SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined" check

tsan:
	$(MAKE) BUILD=build/tsan CFLAGS="-O1 -g" SAN="-fsanitize=thread" tsan-check
tsan-check: all $(TESTS)
	BUILD=$(BUILD) sh tests/run.sh --tsan

bench: all $(BUILD)/tests/bench_console
	BUILD=$(BUILD) sh tests/bench.sh

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/benchtop/themes
	install -m 755 $(BUILD)/benchtop $(DESTDIR)$(PREFIX)/bin/benchtop
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	$(BUILD)/benchtop help --man >$(DESTDIR)$(PREFIX)/share/man/man1/benchtop.1
	for t in themes/*.theme; do [ -e "$$t" ] && install -m 644 "$$t" $(DESTDIR)$(PREFIX)/share/benchtop/themes/; done; true

format:
	clang-format -i $(SRC) $(wildcard core/*.h engine/*.h monitors/*.h results/*.h tui/*.h cli/*.h tests/*.c)

clean:
	rm -rf $(BUILD)

.SECONDARY:
-include $(OBJ:.o=.d) $(wildcard $(BUILD)/tests/*.d)
