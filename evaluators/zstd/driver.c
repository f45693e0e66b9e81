/*
 * The measured process: loads one build of the library and works on files of items when it is told to, one line a command.
 * It takes no time itself. The evaluator does that from outside, from what the kernel accounts to this process between a
 * command and its answer, so that nothing in here, the library included, can tell it a wrong number.
 *
 *   compress LEVEL FILE   reads the items of FILE                                        -> ready
 *   decompress FILE       the same; an item is a frame                                   -> ready
 *   run                   works on all items, in order, each exactly once                -> done
 *   save FILE             writes the results as items                                    -> saved | overrun
 *
 * A file of items, all numbers 32 bits little-endian: count, then (size, original size) of each, then their bytes. The size
 * 0xffffffff says that the library called the item an error. `overrun`: something was written behind the end of an output.
 *
 * Exit codes: 0 end of input, 3 the library cannot be loaded, 4 anything else.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILED 0xffffffffu
#define GUARD 64
#define GUARD_BYTE 0xa5

typedef struct {
    const unsigned char *input;
    unsigned char *output;
    uint32_t size, original, capacity, result;
} Item;

static struct {
    void *(*createCCtx)(void);
    size_t (*compressCCtx)(void *, void *, size_t, const void *, size_t, int);
    void *(*createDCtx)(void);
    size_t (*decompressDCtx)(void *, void *, size_t, const void *, size_t);
    unsigned (*isError)(size_t);
} library;

/* Kept from job to job, because fresh memory costs the kernel more than the work on it does. */
static unsigned char *inputs, *outputs;
static size_t inputRoom, outputRoom;
static Item *items;
static uint32_t count;
static int level, compressing;
static void *compressor, *decompressor;

static void die(const char *what) {
    perror(what);
    exit(4);
}

static void *symbol(void *handle, const char *name) {
    void *found = dlsym(handle, name);
    if (found != NULL) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(3);
}

static void answer(const char *text) {
    puts(text);
    fflush(stdout);
}

static unsigned char *room(unsigned char *old, size_t *have, size_t need) {
    if (need <= *have) return old;
    free(old);
    *have = need;
    return malloc(need);
}

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    uint32_t *sizes;
    size_t inputBytes = 0, outputBytes = 0;
    if (file == NULL || fread(&count, 4, 1, file) != 1) die(path);
    free(items);
    items = calloc(count + 1, sizeof(Item));
    sizes = malloc(8 * (size_t)count + 1);
    if (items == NULL || sizes == NULL || fread(sizes, 8, count, file) != count) die(path);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = sizes[2 * i];
        /* More than any version's ZSTD_compressBound, which is the library's own and not asked. */
        items[i].size = size;
        items[i].original = compressing ? size : sizes[2 * i + 1];
        items[i].capacity = compressing ? size + size / 128 + 1024 : items[i].original;
        inputBytes += size;
        outputBytes += items[i].capacity + GUARD;
    }
    inputs = room(inputs, &inputRoom, inputBytes + 1);
    outputs = room(outputs, &outputRoom, outputBytes + 1);
    if (inputs == NULL || outputs == NULL || fread(inputs, 1, inputBytes, file) != inputBytes) die(path);
    fclose(file);
    /* Also touches every page, so that no fault of the driver's own memory is timed. */
    memset(outputs, GUARD_BYTE, outputBytes + 1);
    inputBytes = outputBytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i].input = inputs + inputBytes;
        items[i].output = outputs + outputBytes;
        inputBytes += items[i].size;
        outputBytes += items[i].capacity + GUARD;
    }
    free(sizes);
}

static void run(void) {
    for (uint32_t i = 0; i < count; i++) {
        Item *item = &items[i];
        size_t size = compressing
            ? library.compressCCtx(compressor, item->output, item->capacity, item->input, item->size, level)
            : library.decompressDCtx(decompressor, item->output, item->capacity, item->input, item->size);
        item->result = library.isError(size) || size > item->capacity ? FAILED : (uint32_t)size;
    }
}

static int overrun(void) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < GUARD; k++)
            if (items[i].output[items[i].capacity + k] != GUARD_BYTE) return 1;
    return 0;
}

static void save(const char *path) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) die(path);
    fwrite(&count, 4, 1, file);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sizes[2] = {items[i].result, items[i].original};
        fwrite(sizes, 4, 2, file);
    }
    for (uint32_t i = 0; i < count; i++)
        if (items[i].result != FAILED) fwrite(items[i].output, 1, items[i].result, file);
    if (ferror(file) || fclose(file) != 0) die(path);
}

int main(int argc, char **argv) {
    static char line[8192];
    void *handle = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (handle == NULL) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: driver LIBRARY");
        return 3;
    }
    *(void **)&library.createCCtx = symbol(handle, "ZSTD_createCCtx");
    *(void **)&library.compressCCtx = symbol(handle, "ZSTD_compressCCtx");
    *(void **)&library.createDCtx = symbol(handle, "ZSTD_createDCtx");
    *(void **)&library.decompressDCtx = symbol(handle, "ZSTD_decompressDCtx");
    *(void **)&library.isError = symbol(handle, "ZSTD_isError");
    compressor = library.createCCtx();
    decompressor = library.createDCtx();
    if (compressor == NULL || decompressor == NULL) die("no context");

    while (fgets(line, sizeof line, stdin) != NULL) {
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "compress %d %n", &level, &at) == 1 && at > 0) {
            compressing = 1;
            load(line + at);
            answer("ready");
        } else if (strncmp(line, "decompress ", 11) == 0) {
            compressing = 0;
            load(line + 11);
            answer("ready");
        } else if (strcmp(line, "run") == 0) {
            run();
            answer("done");
        } else if (strncmp(line, "save ", 5) == 0) {
            save(line + 5);
            answer(overrun() ? "overrun" : "saved");
        } else {
            fprintf(stderr, "no such command: %s\n", line);
            return 4;
        }
    }
    return 0;
}
