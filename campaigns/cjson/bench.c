/*
 * The workload of the campaign: `make SEED` writes documents, one a line; `parse FILE` parses every line once; `print FILE` prints
 * what it parsed, with and without white space. Both print a checksum of what came out, which must be the root's.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

#define DOCUMENTS 6000
#define MOST_DEPTH 5

static uint64_t state = 14695981039346656037u;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(uint64_t n) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
}

static void word(void) {
    for (uint64_t left = 1 + draw(12); left > 0; left--) putchar('a' + (int)draw(26));
}

static void text(void) {
    putchar('"');
    for (uint64_t left = draw(8); left > 0; left--) {
        word();
        fputs(draw(20) == 0 ? "\\n\\u00e9\\\"" : " ", stdout);
    }
    putchar('"');
}

static void value(int depth) {
    uint64_t kind = depth >= MOST_DEPTH ? 2 + draw(4) : draw(8);
    uint64_t left = 1 + draw(6);
    if (kind == 0 || kind == 6) {
        putchar('{');
        for (; left > 0; left--) {
            putchar('"');
            word();
            printf("%d\":", (int)left);
            value(depth + 1);
            if (left > 1) putchar(',');
        }
        putchar('}');
    } else if (kind == 1) {
        putchar('[');
        for (; left > 0; left--) {
            value(depth + 1);
            if (left > 1) putchar(',');
        }
        putchar(']');
    } else if (kind == 2) {
        printf("%d", (int)draw(2000000) - 1000000);
    } else if (kind == 3) {
        printf("%.6g", (double)draw(1000000000) / 977.0);
    } else if (kind == 4) {
        fputs(draw(2) ? "true" : "null", stdout);
    } else {
        text();
    }
}

static int make(const char *seed) {
    for (; *seed != 0; seed++) state = (state ^ (unsigned char)*seed) * 1099511628211u;
    for (int i = 0; i < DOCUMENTS; i++) {
        fputs("{\"items\":[", stdout);
        for (int k = 0; k < 5; k++) {
            if (k > 0) putchar(',');
            value(0);
        }
        fputs("]}\n", stdout);
    }
    return 0;
}

static uint64_t checksum(uint64_t sum, const char *bytes) {
    for (; *bytes != 0; bytes++) sum = (sum ^ (unsigned char)*bytes) * 1099511628211u;
    return sum;
}

/* Every number, text and key of a tree. */
static uint64_t walk(uint64_t sum, const cJSON *item) {
    for (; item != NULL; item = item->next) {
        uint64_t bits;
        memcpy(&bits, &item->valuedouble, sizeof bits);
        sum = (sum ^ bits ^ (uint64_t)item->type) * 1099511628211u;
        if (item->string != NULL) sum = checksum(sum, item->string);
        if (item->valuestring != NULL) sum = checksum(sum, item->valuestring);
        sum = walk(sum, item->child);
    }
    return sum;
}

static int work(const char *path, int printing) {
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    uint64_t sum = 0;
    if (file == NULL) return perror(path), 1;
    while (getline(&line, &room, file) > 0) {
        cJSON *tree = cJSON_Parse(line);
        if (tree == NULL) return fprintf(stderr, "a document is not parsed\n"), 1;
        if (printing) {
            /* Often, so that printing and not parsing is what takes the time; with a change in between, so that it must be done. */
            for (int i = 0; i < 2; i++) {
                char *plain = cJSON_PrintUnformatted(tree);
                char *spaced = cJSON_Print(tree);
                if (plain == NULL || spaced == NULL) return fprintf(stderr, "a document is not printed\n"), 1;
                sum = checksum(checksum(sum, plain), spaced);
                free(plain);
                free(spaced);
                cJSON_AddNumberToObject(tree, "turn", i);
            }
        } else {
            sum = walk(sum, tree);
        }
        cJSON_Delete(tree);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "make") == 0) return make(argv[2]);
    if (argc == 3 && strcmp(argv[1], "parse") == 0) return work(argv[2], 0);
    if (argc == 3 && strcmp(argv[1], "print") == 0) return work(argv[2], 1);
    fprintf(stderr, "usage: bench make SEED | parse FILE | print FILE\n");
    return 2;
}
