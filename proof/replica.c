// SPDX-License-Identifier: GPL-2.0
/*
 * Time ways to check the ftrace records of a module against its symbols, on the real CPU.
 * A record is valid if the nearest symbol at or below it, in its own text region, is at most
 * LIMIT bytes away. A way builds something from the symbols, then is asked for each record.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LIMIT		4	/* FTRACE_MCOUNT_MAX_OFFSET of x86-64 with IBT */
#define BASE		0xffffffffc0000000UL	/* of the loaded module */
#define ELSEWHERE	0xffffc90000000000UL	/* of sections that are not loaded */
#define ALIGN_UP(x, a)	(((x) + (a) - 1) & ~((unsigned long)(a) - 1))
#define WORDS(bits)	(((bits) + 63) / 64)
#define DIGIT		2048			/* of the radix sort: 11 bits */
#define MAX_RUNS	1001

enum { TEXT, DATA, INIT, REGIONS };

struct module {
	struct region {
		unsigned long base, size;
	} r[REGIONS];
	Elf64_Sym *symtab;
	char *strtab;
	unsigned int num, nrecs;
	unsigned long *recs;	/* sorted */
};

struct state {
	unsigned long *mem;	/* fresh pages for each run */
	size_t size;
	unsigned int num;
	Elf64_Sym *table;	/* the copy that the way "table" sorts */
	unsigned long *found;	/* the answers: a symbol's address for each record, or 0 */
	unsigned int invalid, left;	/* left: no answer, so a scan was made */
};

typedef int (*cmp_fn)(const void *a, const void *b);

static volatile int need_resched;

/* As vmalloc(): all pages are there, and zero, at once */
static void *fresh(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (mem == MAP_FAILED)
		err(1, "mmap");
	return mem;
}

static const struct region *region_of(const struct module *m, unsigned long addr)
{
	if (addr - m->r[TEXT].base < m->r[TEXT].size)
		return &m->r[TEXT];
	return addr - m->r[INIT].base < m->r[INIT].size ? &m->r[INIT] : NULL;
}

static bool is_counted(const struct module *m, const Elf64_Sym *sym)
{
	const char *name = m->strtab + sym->st_name;

	return sym->st_shndx != SHN_UNDEF && *name && *name != '$' &&
	       !(name[0] == '.' && name[1] == 'L') && !(name[0] == 'L' && name[1] == '0');
}

static bool is_text(const struct module *m, const Elf64_Sym *sym)
{
	return region_of(m, sym->st_value) && is_counted(m, sym);
}

static bool is_valid(unsigned long ip, unsigned long addr)
{
	return addr && ip - addr <= LIMIT;
}

/* What the unpatched kernel does; noipa, or the compiler drops the size that no caller wants */
__attribute__((noipa))
static unsigned long scan(const struct module *m, unsigned long ip, unsigned long *size)
{
	const struct region *r = region_of(m, ip);
	unsigned long low, next;
	unsigned int i, hit = 0;

	if (!r)
		return 0;
	low = r->base;
	next = r->base + r->size;
	for (i = 1; i < m->num; i++) {
		const unsigned long value = m->symtab[i].st_value;

		if (!is_counted(m, &m->symtab[i]))
			continue;
		if (value > ip) {
			next = value < next ? value : next;
		} else if (value >= low) {
			low = value + 1;
			hit = i;
		}
	}
	if (hit && size)
		*size = next - m->symtab[hit].st_value;
	return hit ? m->symtab[hit].st_value : 0;
}

__attribute__((noipa))	/* a call, as in the kernel's sort */
static void exchange(char *a, char *b, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(long)) {
		unsigned long word = *(unsigned long *)(a + i);

		*(unsigned long *)(a + i) = *(unsigned long *)(b + i);
		*(unsigned long *)(b + i) = word;
	}
}

/* In a heap, the children of p are at 2 p + size and 2 p + 2 size */
static size_t parent(size_t at, size_t size)
{
	at -= size;
	return (at & size & -size ? at - size : at) / 2;
}

/*
 * Heap sort as the kernel's: takes the greatest two at a time, the root and one below it, and
 * sifts bottom up: to a leaf along the greater children, back up to the place, then shifts.
 */
__attribute__((noipa))
static void heap_sort(void *array, size_t num, size_t size, cmp_fn cmp)
{
	size_t top = num / 2 * size, end = num * size, at, child, place;
	bool second = false;	/* of the greatest two: its subtree goes first, then the root's */
	char *base = array;

	while (top || end > 3 * size) {
		if (top) {
			top = second ? 0 : top - size;
			second = false;
		} else {
			exchange(base, base + end - size, size);
			second = true;
			top = cmp(base + size, base + 2 * size) > 0 ? size : 2 * size;
			end -= 2 * size;
			exchange(base + top, base + end, size);
		}
		for (at = top; (child = 2 * at + size) + size < end; )
			at = cmp(base + child, base + child + size) > 0 ? child : child + size;
		if (child + size == end)
			at = child;
		while (at != top && cmp(base + top, base + at) >= 0)
			at = parent(at, size);
		for (place = at; at != top; exchange(base + at, base + place, size))
			at = parent(at, size);
	}
	if (end > size)
		exchange(base, base + end - size, size);
	if (end == 3 * size && cmp(base, base + size) > 0)
		exchange(base, base + size, size);
}

/* Stands for cond_resched() */
__attribute__((noipa))
static void maybe_resched(void)
{
	if (need_resched)
		sched_yield();
}

static int cmp_addr(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	maybe_resched();
	return (x > y) - (x < y);
}

static int cmp_sym(const void *a, const void *b)
{
	const Elf64_Sym *x = a, *y = b;

	maybe_resched();
	if (x->st_value != y->st_value)
		return x->st_value < y->st_value ? -1 : 1;
	return (int)y->st_size - (int)x->st_size;	/* the index: aliases keep an order */
}

/* The first element from @low on that is above @key; an element has @longs */
static inline unsigned int above(const unsigned long *keys, unsigned int low, unsigned int high,
				 unsigned long key, unsigned int longs)
{
	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (keys[(size_t)mid * longs] <= key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static unsigned long same_region(const struct module *m, unsigned long ip, unsigned long addr)
{
	return region_of(m, ip) && region_of(m, ip) == region_of(m, addr) ? addr : 0;
}

static inline void collect(const struct module *m, struct state *s, bool all)
{
	unsigned int i, num = 1;

	for (i = 1; !all && i < m->num; i++)
		num += is_text(m, &m->symtab[i]);
	s->size = (all ? m->num : num) * sizeof(*s->mem);
	s->mem = fresh(s->size);
	s->num = 1;		/* element 0 is 0, below all symbols */
	for (i = 1; i < m->num; i++)
		if (all ? is_counted(m, &m->symtab[i]) : is_text(m, &m->symtab[i]))
			s->mem[s->num++] = m->symtab[i].st_value;
}

static void build_array(const struct module *m, struct state *s)
{
	collect(m, s, false);
	heap_sort(s->mem, s->num, sizeof(*s->mem), cmp_addr);
}

static void build_all(const struct module *m, struct state *s)
{
	collect(m, s, true);
	heap_sort(s->mem, s->num, sizeof(*s->mem), cmp_addr);
}

/* Least digit first, as many passes as the highest offset has digits; element 0 stays */
static void build_radix(const struct module *m, struct state *s)
{
	unsigned long base = m->r[TEXT].base, max = 0, *from, *to, *swap;
	unsigned int i, shift, ends[DIGIT];

	collect(m, s, false);
	from = s->mem;
	to = fresh(s->size);
	for (i = 1; i < s->num; i++)
		max = from[i] - base > max ? from[i] - base : max;
	for (shift = 0; max >> shift; shift += 11, swap = from, from = to, to = swap) {
		memset(ends, 0, sizeof(ends));
		for (i = 1; i < s->num; i++)
			ends[(from[i] - base) >> shift & (DIGIT - 1)]++;
		for (i = 1, ends[0]++; i < DIGIT; i++)
			ends[i] += ends[i - 1];
		for (i = s->num; --i; )
			to[--ends[(from[i] - base) >> shift & (DIGIT - 1)]] = from[i];
	}
	s->mem = from;
	munmap(to, s->size);
}

/* A bit for each byte of text, then of init text */
static void build_bitmap(const struct module *m, struct state *s)
{
	s->size = (WORDS(m->r[TEXT].size) + WORDS(m->r[INIT].size)) * sizeof(*s->mem);
	s->mem = fresh(s->size);
	for (unsigned int i = 1; i < m->num; i++) {
		const unsigned long value = m->symtab[i].st_value;
		const struct region *r = region_of(m, value);
		unsigned long *map = s->mem + (r == &m->r[INIT] ? WORDS(m->r[TEXT].size) : 0);

		if (r && is_counted(m, &m->symtab[i]))
			map[(value - r->base) / 64] |= 1UL << (value - r->base) % 64;
	}
}

static unsigned long search(const struct module *m, const unsigned long *map, unsigned long ip)
{
	const struct region *r = region_of(m, ip);
	unsigned long at, word;

	if (!r)
		return 0;
	map += r == &m->r[INIT] ? WORDS(m->r[TEXT].size) : 0;
	at = (ip - r->base) / 64;
	word = map[at] & ~0UL >> (63 - (ip - r->base) % 64);
	while (!word && at)
		word = map[--at];
	return word ? r->base + at * 64 + 63 - __builtin_clzl(word) : 0;
}

static void build_nosort(const struct module *m, struct state *s)
{
	unsigned int i, at;

	s->size = m->nrecs * sizeof(*s->mem);
	s->mem = fresh(s->size);
	for (i = 1; i < m->num; i++) {
		const unsigned long value = m->symtab[i].st_value;

		if (!is_text(m, &m->symtab[i]))
			continue;
		at = above(m->recs, 0, m->nrecs, value - 1, 1);
		if (at < m->nrecs && s->mem[at] < value)
			s->mem[at] = value;
	}
	for (i = 1; i < m->nrecs; i++)
		if (s->mem[i] < s->mem[i - 1])
			s->mem[i] = s->mem[i - 1];
}

/* Those not counted go last; st_size has the index meanwhile, as the sort is not stable */
static void build_table(const struct module *m, struct state *s)
{
	Elf64_Sym *t = s->table;
	unsigned int i;

	for (i = 1, s->num = 1; i < m->num; i++) {
		t[i].st_size = i;
		if (is_counted(m, &t[i]))
			exchange((char *)&t[i], (char *)&t[s->num++], sizeof(*t));
	}
	heap_sort(t + 1, s->num - 1, sizeof(*t), cmp_sym);
	for (i = 1; i < m->num; i++)
		t[i].st_size = m->symtab[t[i].st_size].st_size;
}

/* A loop for each way that asks for each record; no answer: left to the scan */
#define CHECK(way, answer)							\
static void check_##way(const struct module *m, struct state *s)		\
{										\
	s->invalid = 0;								\
	s->left = 0;								\
	for (unsigned int i = 0; i < m->nrecs; i++) {				\
		unsigned long ip = m->recs[i], addr = (answer);			\
										\
		if (!addr) {							\
			addr = scan(m, ip, NULL);				\
			s->left++;						\
		}								\
		s->invalid += !is_valid(ip, addr);				\
		s->found[i] = addr;						\
	}									\
}

CHECK(scan, 0)
CHECK(array, same_region(m, ip, s->mem[above(s->mem, 1, s->num, ip, 1) - 1]))
CHECK(bitmap, search(m, s->mem, ip))
CHECK(nosort, same_region(m, ip, s->mem[i]))
CHECK(table, same_region(m, ip, s->table[above(&s->table->st_value, 1, s->num, ip,
					       sizeof(Elf64_Sym) / 8) - 1].st_value))

static const struct way {
	const char *name;
	void (*build)(const struct module *m, struct state *s);
	void (*check)(const struct module *m, struct state *s);
} ways[] = {
	{ "scan", NULL, check_scan },
	{ "array", build_array, check_array },
	{ "all-symbols", build_all, check_array },
	{ "radix", build_radix, check_array },
	{ "bitmap", build_bitmap, check_bitmap },
	{ "no-sort", build_nosort, check_nosort },
	{ "table", build_table, check_table },
};

#define NWAYS (sizeof(ways) / sizeof(*ways))

static unsigned long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000UL + t.tv_nsec;
}

/* One run of a way. The copy of the table and giving back the memory are not timed. */
static void run(const struct way *w, const struct module *m, struct state *s,
		unsigned long *build, unsigned long *check)
{
	unsigned long start, built;

	memcpy(s->table, m->symtab, m->num * sizeof(*s->table));
	s->mem = NULL;
	start = now_ns();
	if (w->build)
		w->build(m, s);
	built = now_ns();
	w->check(m, s);
	*check = now_ns() - built;
	*build = built - start;
	if (s->mem)
		munmap(s->mem, s->size);
}

static void compare(const char *name, const struct module *m, const struct state *s,
		    const unsigned long *right)
{
	for (unsigned int i = 0; i < m->nrecs; i++)
		if (s->found[i] != right[i])
			errx(1, "%s: record %u at %#lx: symbol %#lx, valid: %d; by scan: %#lx, %d",
			     name, i, m->recs[i], s->found[i], is_valid(m->recs[i], s->found[i]),
			     right[i], is_valid(m->recs[i], right[i]));
}

/* A copy of the module where the symbols that make a record in the middle valid are above it */
static struct module spoil(const struct module *m, const unsigned long *right)
{
	struct module bad = *m;
	unsigned int i, at = m->nrecs / 2;

	for (i = 0; !is_valid(m->recs[at], right[at]); at = (at + 1) % m->nrecs)
		if (++i > m->nrecs)
			errx(2, "no valid record, nothing to break");
	bad.symtab = malloc(m->num * sizeof(*bad.symtab));
	memcpy(bad.symtab, m->symtab, m->num * sizeof(*bad.symtab));
	for (i = 1; i < m->num; i++)
		if (m->recs[at] - bad.symtab[i].st_value <= LIMIT)
			bad.symtab[i].st_value = m->recs[at] + 1;
	return bad;
}

static void load(struct module *m, const char *file)
{
	unsigned long addr = BASE, len, i, r;
	Elf64_Shdr *sec, *symsec = NULL;
	int fd = open(file, O_RDONLY);
	const Elf64_Rela *rela = NULL;
	const char *names;
	Elf64_Ehdr *elf;

	if (fd < 0)
		err(1, "%s", file);
	len = lseek(fd, 0, SEEK_END);
	elf = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (elf == MAP_FAILED)
		err(1, "%s", file);
	if (len < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG "\2\1", 6) || elf->e_type != ET_REL ||
	    elf->e_machine != EM_X86_64 || elf->e_shoff + elf->e_shnum * sizeof(*sec) > len)
		errx(1, "%s: not a whole x86-64 module", file);
	sec = (void *)elf + elf->e_shoff;
	names = (char *)elf + sec[elf->e_shstrndx].sh_offset;
	for (i = 0; i < elf->e_shnum; i++) {
		sec[i].sh_addr = ELSEWHERE + sec[i].sh_offset;
		if (sec[i].sh_type == SHT_SYMTAB)
			symsec = &sec[i];
		if (strcmp(names + sec[i].sh_name, ".rela__mcount_loc"))
			continue;
		rela = (void *)elf + sec[i].sh_offset;
		m->nrecs = sec[i].sh_size / sizeof(*rela);
	}
	if (!symsec || !m->nrecs)
		errx(1, "%s: no symbols or no records", file);
	for (r = 0; r < REGIONS; r++) {
		m->r[r].base = addr;
		for (i = 1; i < elf->e_shnum; i++) {
			bool exec = sec[i].sh_flags & SHF_EXECINSTR;
			bool init = exec && !strncmp(names + sec[i].sh_name, ".init", 5);

			if (!(sec[i].sh_flags & SHF_ALLOC) ||
			    r != (init ? INIT : exec ? TEXT : DATA))
				continue;
			sec[i].sh_addr = ALIGN_UP(addr, sec[i].sh_addralign ?: 1);
			addr = sec[i].sh_addr + sec[i].sh_size;
		}
		addr = ALIGN_UP(addr, 4096);
		m->r[r].size = addr - m->r[r].base;
	}
	m->symtab = (void *)elf + symsec->sh_offset;
	m->num = symsec->sh_size / sizeof(*m->symtab);
	m->strtab = (char *)elf + sec[symsec->sh_link].sh_offset;
	for (i = 0; i < m->num; i++)
		if (m->symtab[i].st_shndx && m->symtab[i].st_shndx < elf->e_shnum)
			m->symtab[i].st_value += sec[m->symtab[i].st_shndx].sh_addr;
	m->recs = malloc(m->nrecs * sizeof(*m->recs));
	for (i = 0; i < m->nrecs; i++)
		m->recs[i] = m->symtab[ELF64_R_SYM(rela[i].r_info)].st_value + rela[i].r_addend;
	heap_sort(m->recs, m->nrecs, sizeof(*m->recs), cmp_addr);
}

static void add(struct module *m, unsigned long value, const char *name, unsigned int n)
{
	static unsigned int len = 1;	/* the empty name of entry 0 comes first */

	m->symtab[m->num++] = (Elf64_Sym){ .st_name = len, .st_value = value, .st_shndx = 1 };
	len += sprintf(m->strtab + len, name, n) + 1;
}

/* 8 MB of text, a record 4 bytes into each function of @step bytes */
static void make(struct module *m, const char *kind)
{
	bool stripped = !strcmp(kind, "stripped"), amdgpu = !strcmp(kind, "amdgpu-like");
	unsigned int i, at, step = stripped ? 512 : 480, seed = 1;

	m->r[TEXT] = (struct region){ BASE, 8 << 20 };
	m->r[INIT] = (struct region){ BASE + (9 << 20), 4096 };
	m->symtab = calloc(65537, sizeof(*m->symtab));
	m->strtab = calloc(65537, 40);
	m->num = 1;
	m->nrecs = stripped ? 16384 : 17282;
	m->recs = malloc(m->nrecs * sizeof(*m->recs));
	for (i = 0; i < m->nrecs; i++)
		m->recs[i] = BASE + i * step + 4;
	if (!strcmp(kind, "one-address"))
		for (i = 0; i < 65536; i++)
			add(m, BASE, "a_symbol_of_the_module_%u", i);
	else if (stripped || !strcmp(kind, "one-symbol"))
		add(m, BASE, "the_symbol", 0);
	else if (!amdgpu)
		errx(2, "no such kind: %s", kind);
	if (!amdgpu)
		return;
	/* Of functions, but of each 100th; of what precedes functions; of other sections */
	for (i = 0; i < m->nrecs; i++)
		if (i % 100 != 99)
			add(m, BASE + i * step, "amdgpu_like_function_%u", i);
	for (i = 1; m->num <= 32000; i++)
		add(m, BASE + i * step - 16, "__pfx_amdgpu_like_function_%u", i);
	for (i = 0; m->num < 55332; i++) {
		add(m, BASE + (8 << 20) + i * 16, i % 8 ? "amdgpu_like_object_%u" : ".LC%u", i);
		m->symtab[m->num - 1].st_shndx = i % 16 == 1 ? SHN_UNDEF : 1;
	}
	for (i = 1; i < m->num; i++) {	/* in no order */
		seed = seed * 1664525 + 1013904223;
		at = 1 + seed / 16 % (m->num - 1);
		exchange((char *)&m->symtab[i], (char *)&m->symtab[at], sizeof(*m->symtab));
	}
}

/* The median, the 5th and the 95th percentile */
static void print_times(unsigned long *ns, unsigned int runs)
{
	heap_sort(ns, runs, sizeof(*ns), cmp_addr);
	printf("%.4f,%.4f,%.4f,", ns[runs / 2] / 1e6, ns[(runs - 1) / 20] / 1e6,
	       ns[runs - 1 - (runs - 1) / 20] / 1e6);
}

int main(int argc, char **argv)
{
	static unsigned long build[NWAYS][MAX_RUNS], check[NWAYS][MAX_RUNS];
	const char *input = NULL, *broken = NULL;
	char line[256], cpu[256] = "unknown";
	unsigned int i, r, text = 0, runs = 21, known = 0;
	FILE *f = fopen("/proc/cpuinfo", "r");
	struct module m = { }, bad;
	unsigned long *right;
	struct state s;

	for (i = 1; i < (unsigned int)argc; i++) {
		if (!strcmp(argv[i], "--made") && argv[i + 1])
			make(&m, input = argv[++i]);
		else if (!strcmp(argv[i], "--runs") && argv[i + 1])
			runs = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--break") && argv[i + 1])
			broken = argv[++i];
		else if (*argv[i] != '-' && !input)
			load(&m, input = argv[i]);
		else
			errx(2, "what is %s?", argv[i]);
	}
	for (i = 0; i < NWAYS; i++)
		known += broken && !strcmp(broken, ways[i].name);
	if (!input || runs < 1 || runs > MAX_RUNS || (broken && !known))
		errx(2, "usage: replica [--runs N] [--break WAY] FILE.ko | --made KIND");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "model name : %255[^\n]", cpu) == 1)
			break;
	for (i = 1; i < m.num; i++)
		text += is_text(&m, &m.symtab[i]);
	s.table = malloc(m.num * sizeof(*s.table));
	s.found = malloc(m.nrecs * sizeof(*s.found));
	right = malloc(m.nrecs * sizeof(*right));

	run(&ways[0], &m, &s, build[0], check[0]);
	memcpy(right, s.found, m.nrecs * sizeof(*right));
	printf("# %s: %u records, %u of them invalid (limit %d), ", cpu, m.nrecs, s.invalid, LIMIT);
	printf("%u symbols (entries of the table), %u counted in text\n", m.num, text);
	bad = broken ? spoil(&m, right) : m;
	for (i = 0; i < NWAYS; i++) {
		bool wrong = broken && !strcmp(broken, ways[i].name);

		if (!i && !wrong)
			continue;
		run(&ways[i], wrong ? &bad : &m, &s, build[i], check[i]);
		compare(ways[i].name, &m, &s, right);
		if (s.left)
			printf("# %s: %u records left to the scan\n", ways[i].name, s.left);
	}

	for (r = 0; r < runs; r++) {
		for (i = 0; i < NWAYS; i++) {
			if (!i && r >= 3)	/* takes seconds */
				continue;
			run(&ways[i], &m, &s, &build[i][r], &check[i][r]);
			compare(ways[i].name, &m, &s, right);
		}
	}
	puts("input,way,records,symbols,build_ms,build_p5,build_p95,"
	     "check_ms,check_p5,check_p95,runs,cpu");
	for (i = 0; i < NWAYS; i++) {
		r = !i && runs > 3 ? 3 : runs;
		printf("%s,%s,%u,%u,", basename(input), ways[i].name, m.nrecs, m.num);
		print_times(build[i], r);
		print_times(check[i], r);
		printf("%u,\"%s\"\n", r, cpu);
	}
	return 0;
}
