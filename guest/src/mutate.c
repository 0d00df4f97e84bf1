// SPDX-License-Identifier: GPL-2.0
/*
 * Break a module's symbol table, records and section headers, load it and print the outcome,
 * again and again. Mutation N of a seed is the same everywhere: one to three changes of one of
 * the files, which take turns. The first ones are fixed: see regressions[].
 *
 * usage: mutate [-u] SEED FIRST LAST FILE.ko...   in the guest, with the function tracer on
 *        mutate -o OUT SEED N FILE.ko...          only writes that mutation
 *
 * Prints for each mutation at once, so that nothing is lost if the kernel crashes:
 *   try N WHAT... [behind]     behind: a name lies behind the string table
 *   got N ERRNO RECORDS HASH   ERRNO is 0 if it was loaded; then how many of its functions were
 *                              enabled, and a hash of their names. All names that the module
 *                              did not have give the same hash: the bytes behind a table
 *                              differ between kernels.
 *   stop N warned PLACE        the kernel warned, or
 *   stop N stuck ERRNO         the module cannot be removed: this guest is not usable any more
 *   end LAST
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ROOM		(1 << 20)	/* for symbols appended to a file */
#define ENABLED		"/sys/kernel/tracing/enabled_functions"
#define LOG_READ_CLEAR	4
#define SHN_LIVEPATCH	0xff20

struct file {
	unsigned char *data;
	size_t size;
};

/* The module under change; the offsets are those of the original file */
static struct {
	const struct file *file;
	unsigned char *data;
	size_t size;
	Elf64_Ehdr *ehdr;
	Elf64_Shdr *shdr;
	unsigned int num_sections, symtab, strtab, records;
	Elf64_Sym *sym;
	unsigned int num_syms;
	Elf64_Rela *rela;		/* of the records */
	unsigned int num_rela;
	char what[512];
} m;

static int unnamed;
static uint64_t random_state;

static uint64_t next(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static unsigned int below(unsigned int n)
{
	return n ? next() % n : 0;
}

static void note(const char *format, ...)
{
	size_t used = strlen(m.what);
	va_list args;

	va_start(args, format);
	vsnprintf(m.what + used, sizeof(m.what) - used, format, args);
	va_end(args);
}

static int failed(const char *what)
{
	fprintf(stderr, "mutate: %s: %s\n", what, strerror(errno));
	return 1;
}

static const char *section_name(const Elf64_Shdr *shdr, unsigned int i)
{
	return (char *)m.data + shdr[m.ehdr->e_shstrndx].sh_offset + shdr[i].sh_name;
}

/* Makes a fresh copy of the file, which must be valid */
static int start(const struct file *file)
{
	m.file = file;
	m.size = file->size;
	memcpy(m.data, file->data, file->size);
	m.ehdr = (Elf64_Ehdr *)m.data;
	m.shdr = (Elf64_Shdr *)(m.data + m.ehdr->e_shoff);
	m.num_sections = m.ehdr->e_shnum;
	m.symtab = 0;
	m.records = 0;
	m.num_rela = 0;
	m.what[0] = '\0';
	for (unsigned int i = 1; i < m.num_sections; i++) {
		if (m.shdr[i].sh_type == SHT_SYMTAB)
			m.symtab = i;
		if (!strcmp(section_name(m.shdr, i), "__mcount_loc"))
			m.records = i;
		if (!strcmp(section_name(m.shdr, i), ".rela__mcount_loc")) {
			m.rela = (Elf64_Rela *)(m.data + m.shdr[i].sh_offset);
			m.num_rela = m.shdr[i].sh_size / sizeof(*m.rela);
		}
	}
	if (!m.symtab || !m.records || !m.num_rela)
		return -1;
	m.strtab = m.shdr[m.symtab].sh_link;
	m.sym = (Elf64_Sym *)(m.data + m.shdr[m.symtab].sh_offset);
	m.num_syms = m.shdr[m.symtab].sh_size / sizeof(*m.sym);
	return 0;
}

/* Prefers functions: the kernel compares the records with them */
static unsigned int any_symbol(void)
{
	unsigned int i, tries;

	for (tries = 0; tries < 20; tries++) {
		i = 1 + below(m.num_syms - 1);
		if (tries < 10 && (random_state & 1) &&
		    ELF64_ST_TYPE(m.sym[i].st_info) != STT_FUNC)
			continue;
		return i;
	}
	return i;
}

static uint64_t any_value(uint64_t old)
{
	switch (below(10)) {
	case 0: return 0;
	case 1: return old + 1 + below(16);
	case 2: return old - 1 - below(16);
	case 3: return m.sym[any_symbol()].st_value;
	case 4: return m.shdr[below(m.num_sections)].sh_size;
	case 5: return old ^ (1ULL << below(64));
	case 6: return below(1 << 16);
	case 7: return (uint32_t)next();
	case 8: return -1ULL - below(4);
	default: return next();
	}
}

static void change_value(void)
{
	unsigned int i = any_symbol();
	uint64_t old = m.sym[i].st_value;

	m.sym[i].st_value = any_value(old);
	note(" value[%u]:%lx>%lx", i, old, m.sym[i].st_value);
}

static void change_section(void)
{
	const unsigned int special[] = {
		SHN_UNDEF, SHN_ABS, SHN_COMMON, SHN_LIVEPATCH, SHN_LORESERVE, SHN_XINDEX,
		m.num_sections, m.num_sections + below(100), below(1 << 16),
	};
	unsigned int i = any_symbol(), old = m.sym[i].st_shndx;

	m.sym[i].st_shndx = below(2) ? special[below(ARRAY_SIZE(special))] : below(m.num_sections);
	note(" section[%u]:%x>%x", i, old, m.sym[i].st_shndx);
}

static void change_name(void)
{
	unsigned int i = any_symbol(), size = m.shdr[m.strtab].sh_size;
	const unsigned int names[] = {
		0, m.sym[any_symbol()].st_name, m.sym[i].st_name + 1, below(size), below(size),
		size - 1, size, size + below(1 << 12), below(2) ? size + below(1 << 20) : next(),
	};
	unsigned int old = m.sym[i].st_name;

	m.sym[i].st_name = names[below(ARRAY_SIZE(names))];
	note(" name[%u]:%x>%x", i, old, m.sym[i].st_name);
}

static void change_info(void)
{
	unsigned int i = any_symbol(), old = m.sym[i].st_info;

	m.sym[i].st_info = next();
	note(" info[%u]:%x>%x", i, old, m.sym[i].st_info);
}

static void change_size(void)
{
	unsigned int i = any_symbol();

	m.sym[i].st_size = any_value(m.sym[i].st_size);
	note(" size[%u]:%lx", i, m.sym[i].st_size);
}

/* Overwrites an entry with another one: references to it then get the other one */
static void duplicate_symbol(void)
{
	unsigned int from = any_symbol(), to = any_symbol();

	m.sym[to] = m.sym[from];
	note(" copy[%u]=[%u]", to, from);
}

/* Swaps two entries and adapts all references to them: the module keeps its meaning */
static void exchange(unsigned int a, unsigned int b)
{
	Elf64_Sym sym = m.sym[a];

	m.sym[a] = m.sym[b];
	m.sym[b] = sym;
	for (unsigned int i = 1; i < m.num_sections; i++) {
		const Elf64_Shdr *shdr = (Elf64_Shdr *)(m.file->data + m.ehdr->e_shoff) + i;
		Elf64_Rela *rela = (Elf64_Rela *)(m.data + shdr->sh_offset);

		if (shdr->sh_type != SHT_RELA)
			continue;
		for (unsigned int k = 0; k < shdr->sh_size / sizeof(*rela); k++) {
			unsigned int of = ELF64_R_SYM(rela[k].r_info);

			if (of == a || of == b)
				rela[k].r_info ^= ELF64_R_INFO((uint64_t)(a ^ b), 0);
		}
	}
}

static void shuffle_symbols(void)
{
	for (unsigned int i = m.num_syms - 1; i > 1; i--)
		exchange(i, 1 + below(i));
	note(" shuffle");
}

static void reverse_symbols(void)
{
	for (unsigned int a = 1, b = m.num_syms - 1; a < b; a++, b--)
		exchange(a, b);
	note(" reverse");
}

/* Moves the table to the end of the file, with room for more entries; returns the first of these */
static Elf64_Sym *grow(unsigned int more)
{
	size_t at = (m.size + 7) & ~7UL;
	Elf64_Sym *sym = (Elf64_Sym *)(m.data + at);

	if (at + (m.num_syms + more) * sizeof(*sym) > m.file->size + ROOM)
		return NULL;
	memset(m.data + m.size, 0, at - m.size);
	memcpy(sym, m.sym, m.num_syms * sizeof(*sym));
	m.sym = sym;
	m.num_syms += more;
	m.size = at + m.num_syms * sizeof(*sym);
	m.shdr[m.symtab].sh_offset = at;
	m.shdr[m.symtab].sh_size = m.num_syms * sizeof(*sym);
	return sym + m.num_syms - more;
}

/* Copies of existing entries, some with a slightly higher value */
static void grow_table(void)
{
	unsigned int i, more = 1 + below(200), moved = below(2);
	Elf64_Sym *sym = grow(more);

	for (i = 0; sym && i < more; i++) {
		sym[i] = m.sym[1 + below(m.num_syms - more - 1 + i)];
		if (moved && below(2))
			sym[i].st_value += below(32);
	}
	note(" grow+%u%s", more, moved ? "moved" : "");
}

static void change_count(void)
{
	Elf64_Shdr *symtab = &m.shdr[m.symtab], *strtab = &m.shdr[m.strtab];
	uint64_t old;

	switch (below(7)) {
	case 0:
		symtab->sh_size = below(m.num_syms + 4) * sizeof(*m.sym);
		note(" symbols=%lu", symtab->sh_size / sizeof(*m.sym));
		break;
	case 1:
		symtab->sh_size += (int)below(48) - 24;
		note(" symtab.size=%lx", symtab->sh_size);
		break;
	case 2:
		symtab->sh_info = any_value(symtab->sh_info);
		note(" symtab.info=%x", symtab->sh_info);
		break;
	case 3:
		old = strtab->sh_size;
		strtab->sh_size = below(2) ? below(old) : old + below(1 << 12);
		note(" strtab.size=%lx", strtab->sh_size);
		break;
	case 4:
		m.ehdr->e_shnum += (int)below(9) - 4;
		note(" sections=%u", m.ehdr->e_shnum);
		break;
	case 5:
		m.ehdr->e_shstrndx = below(m.num_sections + 2);
		note(" shstrndx=%u", m.ehdr->e_shstrndx);
		break;
	default:
		old = m.shdr[m.records].sh_size;
		m.shdr[m.records].sh_size = below(2) ? below(old + 17) : old + 8 * below(1 << 10);
		note(" records.size:%lx>%lx", old, m.shdr[m.records].sh_size);
	}
}

/* One of four special sections, or any */
static unsigned int any_section(void)
{
	const unsigned int special[] = {
		m.symtab, m.strtab, m.records, m.sym[any_symbol()].st_shndx,
	};
	unsigned int i = special[below(ARRAY_SIZE(special))];

	return i && i < m.num_sections && below(2) ? i : 1 + below(m.num_sections - 1);
}

static const struct {
	const char *name;
	size_t at, size;
} fields[] = {
#define FIELD(name) { #name, offsetof(Elf64_Shdr, name), sizeof(((Elf64_Shdr *)NULL)->name) }
	FIELD(sh_name), FIELD(sh_type), FIELD(sh_flags), FIELD(sh_addr), FIELD(sh_offset),
	FIELD(sh_size), FIELD(sh_link), FIELD(sh_info), FIELD(sh_addralign), FIELD(sh_entsize),
#undef FIELD
};

/* Flips a flag, or sets the value of another section, or any value */
static void change_header(void)
{
	unsigned int i = any_section(), f = below(ARRAY_SIZE(fields));
	unsigned char *at = (unsigned char *)&m.shdr[i] + fields[f].at;
	unsigned char *other = (unsigned char *)&m.shdr[below(m.num_sections)] + fields[f].at;
	uint64_t old = 0, new = 0;

	memcpy(&old, at, fields[f].size);
	if (fields[f].at == offsetof(Elf64_Shdr, sh_flags))
		new = old ^ (1ULL << below(8));
	else if (below(3))
		new = any_value(old);
	else
		memcpy(&new, other, fields[f].size);
	memcpy(at, &new, fields[f].size);
	note(" %u.%s:%lx>%lx", i, fields[f].name, old, new);
}

/* Changes which function a record belongs to, or whether it belongs to one */
static void change_record(void)
{
	Elf64_Rela *rela = &m.rela[below(m.num_rela)], *other = &m.rela[below(m.num_rela)];
	int64_t old = rela->r_addend;
	uint64_t offset;

	switch (below(4)) {
	case 0:
		offset = rela->r_offset;
		rela->r_offset = other->r_offset;
		other->r_offset = offset;
		note(" exchange records");
		break;
	case 1:
		rela->r_info = other->r_info;
		rela->r_addend = other->r_addend;
		note(" copy record %lx>%lx", old, rela->r_addend);
		break;
	case 2:
		rela->r_addend += (int)below(41) - 20;
		note(" record:%lx>%lx", old, rela->r_addend);
		break;
	default:
		rela->r_info = ELF64_R_INFO((uint64_t)any_symbol(), ELF64_R_TYPE(rela->r_info));
		note(" record of symbol %lu", ELF64_R_SYM(rela->r_info));
	}
}

static const struct {
	void (*change)(void);
	unsigned int weight;
} changes[] = {
	{ change_value, 6 }, { change_section, 5 }, { change_name, 5 }, { change_info, 1 },
	{ change_size, 1 }, { duplicate_symbol, 3 }, { shuffle_symbols, 2 }, { reverse_symbols, 1 },
	{ grow_table, 3 }, { change_count, 4 }, { change_header, 7 }, { change_record, 2 },
};

/* The offset of a name far behind the module */
#define FAR_NAME	0x7ffffff0

static unsigned int in_section(unsigned int i, const char *name)
{
	return m.sym[i].st_shndx < m.num_sections &&
	       !strcmp(section_name(m.shdr, m.sym[i].st_shndx), name);
}

static void far_names(const char *section)
{
	for (unsigned int i = 1; i < m.num_syms; i++)
		if (in_section(i, section))
			m.sym[i].st_name = FAR_NAME;
	note(" far names in %s", section);
}

/* Without records the kernel looks up no symbol: only a scan of all symbols reads these names */
static void far_names_without_records(void)
{
	/* The loader finds the section by its name */
	m.shdr[m.records].sh_name = 0;
	far_names(".init.data");
	note(" and no records");
}

/* Names behind the end of the string table are empty until something else is stored there */
static void short_string_table(void)
{
	m.shdr[m.strtab].sh_size /= 2;
	note(" half of the names");
}

/* Linux 6.12 without the series reads the names for each record, and faults */
static void far_names_and_records(void)
{
	far_names(".init.text");
}

/* The first mutations of each seed. With an earlier series, two of the first three had another outcome. */
static void (*const regressions[])(void) = {
	far_names_without_records, short_string_table, short_string_table, far_names_and_records,
};

/* The bytes that the loader puts behind the string table: struct mod_kallsyms, aligned, and one byte for each symbol */
#define ROOM_BEHIND	(64 + m.num_syms)

/*
 * Whether a name lies behind the string table, where a kernel finds arbitrary bytes or nothing.
 * With -u, a symbol whose name also lies behind the other tables gets an empty name.
 */
static int behind(void)
{
	unsigned int strtab = m.shdr[m.symtab].sh_link, num = 0;

	for (unsigned int i = 1; strtab < m.num_sections && i < m.num_syms; i++) {
		if (m.sym[i].st_name < m.shdr[strtab].sh_size)
			continue;
		num++;
		/* The loader reads the name of an undefined symbol in the file, where it exists */
		if (unnamed && m.sym[i].st_shndx != SHN_UNDEF &&
		    m.sym[i].st_name >= m.shdr[strtab].sh_size + ROOM_BEHIND)
			m.sym[i].st_name = 0;
	}
	return num;
}

static int mutate(const struct file *files, unsigned int num_files, uint64_t seed, uint64_t n)
{
	unsigned int i, pick, total = 0, times;

	if (start(&files[n % num_files])) {
		fprintf(stderr, "mutate: no symbol table, or no records\n");
		return -1;
	}
	random_state = seed * 0xd1342543de82ef95ULL + n * 0x2545f4914f6cdd1dULL;
	for (i = 0; i < ARRAY_SIZE(changes); i++)
		total += changes[i].weight;
	times = 1 + below(2) * (1 + below(2));
	if (n >= 1 && n <= ARRAY_SIZE(regressions)) {
		regressions[n - 1]();
		times = 0;
	}
	for (; times; times--) {
		pick = below(total);
		for (i = 0; pick >= changes[i].weight; i++)
			pick -= changes[i].weight;
		changes[i].change();
	}
	if (behind())
		note(" behind");
	return 0;
}

/* Waits until the console has sent the text: a crash of the kernel must not lose it */
static void out(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
}

static char text[1 << 20];

static char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY);
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	close(fd);
	text[used] = '\0';
	return text;
}

/* Whether the module had a symbol of that name before it was changed */
static int known(const char *name)
{
	const Elf64_Ehdr *ehdr = (Elf64_Ehdr *)m.file->data;
	const Elf64_Shdr *shdr = (Elf64_Shdr *)(m.file->data + ehdr->e_shoff);
	const Elf64_Sym *sym = (Elf64_Sym *)(m.file->data + shdr[m.symtab].sh_offset);
	const char *names = (char *)m.file->data + shdr[m.strtab].sh_offset;

	for (unsigned int i = 1; i < shdr[m.symtab].sh_size / sizeof(*sym); i++)
		if (!strcmp(names + sym[i].st_name, name))
			return 1;
	return 0;
}

/* Which functions of the module are enabled: the number of lines, and a hash of their names */
static unsigned int enabled(const char *module, uint32_t *hash)
{
	char *line, *rest = read_text(ENABLED), mark[84];
	unsigned int num = 0;

	*hash = 2166136261u;
	snprintf(mark, sizeof(mark), "[%s]", module);
	while (rest && (line = strsep(&rest, "\n"))) {
		const char *name;

		if (!strstr(line, mark))
			continue;
		line[strcspn(line, " ")] = '\0';
		for (name = known(line) ? line : "?"; *name; name++)
			*hash = (*hash ^ (unsigned char)*name) * 16777619u;
		*hash *= 16777619u;
		num++;
	}
	return num;
}

/* Where the kernel warned, or NULL; without line and offset, which differ between kernels */
static char *warned(void)
{
	static char place[256];
	char *found, *word, *save;
	int n = klogctl(LOG_READ_CLEAR, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	found = strstr(text, "WARNING: ");
	if (!found)
		found = strstr(text, "BUG: ");
	if (!found)
		found = strstr(text, "UBSAN: ");
	if (!found)
		return NULL;
	found[strcspn(found, "\n")] = '\0';
	place[0] = '\0';
	for (word = strtok_r(found, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strchr(word, '/') && !strstr(word, "+0x"))
			continue;
		word[strcspn(word, ":+.")] = '\0';
		strncat(place, "_", sizeof(place) - 1 - strlen(place));
		strncat(place, word, sizeof(place) - 1 - strlen(place));
	}
	return place[0] ? place : "_?";
}

static int remove_module(const char *module)
{
	for (int tries = 0; syscall(SYS_delete_module, module, O_NONBLOCK); tries++) {
		/* Another process may hold a reference */
		if ((errno != EAGAIN && errno != EWOULDBLOCK) || tries == 50)
			return errno;
		usleep(20000);
	}
	return 0;
}

/* Returns nonzero if this guest cannot continue */
static int try_it(uint64_t n)
{
	char module[80] = "", *place;
	unsigned int num = 0;
	uint32_t hash = 0;
	int err;

	out("try %lu%s\n", n, m.what);
	err = syscall(SYS_init_module, m.data, m.size, "") ? errno : 0;
	if (!err) {
		/* The newest comes first */
		if (read_text("/proc/modules"))
			sscanf(text, "%79s", module);
		num = enabled(module, &hash);
	}
	out("got %lu %d %u %08x\n", n, err, num, hash);
	if (!err) {
		err = remove_module(module);
		if (err) {
			out("stop %lu stuck %d\n", n, err);
			return 1;
		}
	}
	place = warned();
	if (place)
		out("stop %lu warned %s\n", n, place);
	return !!place;
}

static int read_file(const char *path, struct file *file)
{
	FILE *f = fopen(path, "rb");

	if (!f || fseek(f, 0, SEEK_END))
		return failed(path);
	file->size = ftell(f);
	rewind(f);
	file->data = malloc(file->size);
	if (!file->data || fread(file->data, 1, file->size, f) != file->size)
		return failed(path);
	fclose(f);
	return 0;
}

static int write_mutation(const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(m.data, 1, m.size, f) != m.size || fclose(f))
		return failed(path);
	printf("%s:%s\n", path, m.what);
	return 0;
}

int main(int argc, char **argv)
{
	struct file *files = calloc(argc, sizeof(*files));
	unsigned int i, num_files;
	int write_only = 0;
	uint64_t seed, n, last;
	size_t most = 0;

	if (argc > 1 && !strcmp(argv[1], "-u")) {
		unnamed = 1;
		argv++;
		argc--;
	}
	write_only = argc > 1 && !strcmp(argv[1], "-o");
	/* Before the files, -o OUT SEED N FILE... has one word more than SEED FIRST LAST FILE... */
	num_files = argc > 4 + write_only ? argc - 4 - write_only : 0;
	if (!num_files || !files) {
		fprintf(stderr, "usage: mutate [-u] SEED FIRST LAST FILE.ko...\n"
			"       mutate -o OUT SEED N FILE.ko...\n");
		return 2;
	}
	for (i = 0; i < num_files; i++) {
		if (read_file(argv[argc - num_files + i], &files[i]))
			return 1;
		most = files[i].size > most ? files[i].size : most;
	}
	m.data = malloc(most + ROOM);
	if (!m.data)
		return failed("memory");

	seed = strtoull(argv[write_only ? 3 : 1], NULL, 0);
	if (write_only) {
		if (mutate(files, num_files, seed, strtoull(argv[4], NULL, 0)))
			return 1;
		return write_mutation(argv[2]);
	}
	last = strtoull(argv[3], NULL, 0);
	warned();
	for (n = strtoull(argv[2], NULL, 0); n <= last; n++) {
		if (mutate(files, num_files, seed, n))
			return 1;
		if (try_it(n))
			return 0;
	}
	out("end %lu\n", last);
	return 0;
}
