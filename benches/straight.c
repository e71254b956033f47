// What a core loses because long code does not fit its first-level instruction cache: straight code
// of growing size against a small part of it again and again. Statements are like those of a step
// on AVX2: products and sums of vectors, of which a share reads a frame in memory, and a third of
// those writes there too.
//
//     gcc -O2 -o straight benches/straight.c && ./straight 8192 50
//
// for a frame of 8192 bytes, which half of the statements read. x86-64 with fused multiply-add.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ROOM = 8 << 20, SIZES = 9, TURNS = 60, RUN = 32 << 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static uint32_t state;

static uint32_t below(uint32_t n) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % n;
}

// An instruction on a vector and an aligned place of the frame, at rdi.
static uint8_t *with_frame(uint8_t *p, int opcode, int reg, int other, int frame) {
    int32_t place = 32 * below(frame / 32);
    *p++ = 0xC5;
    *p++ = (reg & 8 ? 0 : 0x80) | (~other & 15) << 3 | 5;
    *p++ = opcode;
    *p++ = 0x80 | (reg & 7) << 3 | 7;
    memcpy(p, &place, 4);
    return p + 4;
}

static uint8_t *statement(uint8_t *p, int frame, int share) {
    int result = 1 + below(14), a = below(15), b = below(15);
    if (below(100) < (uint32_t)share) {
        p = with_frame(p, below(2) ? 0x59 : 0x58, result, a, frame); // vmulpd, vaddpd
        return below(3) ? p : with_frame(p, 0x29, result, 0, frame); // vmovapd
    }
    uint8_t fused[] = {0xC4, 0x42 | (result & 8 ? 0 : 0x80) | (b & 8 ? 0 : 0x20), 0x85 | (~a & 15) << 3, 0xB8,
                       0xC0 | (result & 7) << 3 | (b & 7)}; // vfmadd231pd
    memcpy(p, fused, sizeof fused);
    return p + sizeof fused;
}

int main(int count, char **arguments) {
    int frame = count > 1 ? atoi(arguments[1]) : 8192, share = count > 2 ? atoi(arguments[2]) : 50;
    uint8_t *code = mmap(0, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *data = aligned_alloc(4096, (frame + 4095) / 4096 * 4096);
    memset(data, 0, frame);
    static const int sizes[SIZES] = {8, 16, 64, 128, 256, 512, 768, 1280, 2560};
    double small = 0;
    for (int k = 0; k < SIZES; k++) {
        uint8_t *p = code;
        long statements = 0;
        for (state = 12345; p - code < sizes[k] << 10; statements++) p = statement(p, frame, share);
        memcpy(p, "\xC5\xF8\x77\xC3", 4); // vzeroupper, ret
        long times = RUN / (p - code);
        double best = 1e9;
        for (int turn = 0; turn < TURNS; turn++) {
            double begun = now();
            for (long i = 0; i < times; i++) ((void (*)(void *))code)(data);
            double each = (now() - begun) / times / statements;
            if (each < best) best = each;
        }
        if (!k) small = best;
        printf("%5d kB, %7ld statements: %.3f ns each, %.2f of the first\n", sizes[k], statements, 1e9 * best, best / small);
    }
}
