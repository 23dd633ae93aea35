/* Top-down split along the hierarchies: a group opens the column that lowers the loss most, as long as one does. */
#include "split.h"
#include "tree.inc"
#include <stdlib.h>
#include <string.h>

typedef struct {
    const int32_t *parent, *codes;
    const double *price;
    const int64_t *first, *weight;
    int32_t q;
    int64_t k, n_groups;
    int32_t *at, *spare, *group; /* tuples in the order of their groups */
    int64_t *inside;             /* rows below each child of the node that is opened; zero between uses */
    int32_t *seen, *closure;
} splitter;

typedef struct {
    int64_t begin, end;
} segment;

static int32_t child_above(const int32_t *parent, int32_t leaf, int32_t node)
{
    while (parent[leaf] != node)
        leaf = parent[leaf];
    return leaf;
}

static void close_segment(splitter *s, segment g)
{
    for (int32_t j = 0; j < s->q; j++) {
        const int32_t *parent = s->parent + s->first[j];
        int32_t node = s->codes[(int64_t)s->at[g.begin] * s->q + j];
        for (int64_t i = g.begin + 1; i < g.end; i++)
            node = join(parent, node, s->codes[(int64_t)s->at[i] * s->q + j]);
        s->closure[j] = node;
    }
}

/* Counts the rows below each child of the closure of column j. Returns how many children were met. */
static int32_t count_children(splitter *s, segment g, int32_t j)
{
    const int32_t *parent = s->parent + s->first[j];
    int32_t n_seen = 0;
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t child = child_above(parent, s->codes[(int64_t)s->at[i] * s->q + j], s->closure[j]);
        if (s->inside[child] == 0)
            s->seen[n_seen++] = child;
        s->inside[child] += s->weight[s->at[i]];
    }
    return n_seen;
}

/* What opening column j saves. Children below k stay behind together; if they are fewer than k rows, the child that saves least
 * stays with them (`with`). */
static double saving(splitter *s, segment g, int32_t j, int32_t *with)
{
    const double *price = s->price + s->first[j];
    double total = 0, least = -1;
    int64_t small = 0;
    int32_t n_seen = count_children(s, g, j);
    *with = -1;
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t child = s->seen[i];
        int64_t rows = s->inside[child];
        s->inside[child] = 0;
        if (rows < s->k) {
            small += rows;
            continue;
        }
        double saved = (double)rows * (price[s->closure[j]] - price[child]);
        total += saved;
        if (least < 0 || saved < least) {
            least = saved;
            *with = child;
        }
    }
    if (small == 0 || small >= s->k)
        *with = -1;
    return *with >= 0 ? total - least : total;
}

/* Lays the tuples of a segment out by child; the small children and `with` come last. Fills the ends of the pieces, in `seen`
 * order, into spare's place; returns the number of pieces pushed. */
static int64_t open_column(splitter *s, segment g, int32_t j, int32_t with, segment *stack)
{
    const int32_t *parent = s->parent + s->first[j];
    int32_t n_seen = count_children(s, g, j);
    int64_t pushed = 0, to = g.begin;
    memcpy(s->spare + g.begin, s->at + g.begin, (size_t)(g.end - g.begin) * sizeof *s->at);
    /* how many tuples each child has: counted by a stable pass a child would cost too much, so place by running offsets */
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t child = s->seen[i];
        s->inside[child] = s->inside[child] >= s->k && child != with ? 0 : -1; /* -1: stays behind */
    }
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t child = child_above(parent, s->codes[(int64_t)s->spare[i] * s->q + j], s->closure[j]);
        if (s->inside[child] >= 0)
            s->inside[child]++;
    }
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t child = s->seen[i];
        if (s->inside[child] < 0)
            continue;
        int64_t tuples = s->inside[child];
        stack[pushed++] = (segment){to, to + tuples};
        s->inside[child] = to;
        to += tuples;
    }
    if (to < g.end)
        stack[pushed++] = (segment){to, g.end};
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t t = s->spare[i], child = child_above(parent, s->codes[(int64_t)t * s->q + j], s->closure[j]);
        if (s->inside[child] >= 0)
            s->at[s->inside[child]++] = t;
        else
            s->at[to++] = t;
    }
    for (int32_t i = 0; i < n_seen; i++)
        s->inside[s->seen[i]] = 0;
    return pushed;
}

/* A group that no column can open is cut into runs of k rows, in the order of its tuples, if it pays anything. */
static void settle(splitter *s, segment g)
{
    double paid = 0;
    int64_t rows = 0, run = 0;
    for (int32_t j = 0; j < s->q; j++)
        paid += s->price[s->first[j] + s->closure[j]];
    for (int64_t i = g.begin; i < g.end; i++)
        rows += s->weight[s->at[i]];
    for (int64_t i = g.begin; i < g.end; i++) {
        s->group[s->at[i]] = (int32_t)s->n_groups;
        run += s->weight[s->at[i]];
        rows -= s->weight[s->at[i]];
        if (run >= s->k && rows >= s->k && paid > 0) {
            s->n_groups++;
            run = 0;
        }
    }
    s->n_groups++;
}

/* The group of each tuple; returns the number of groups, -1 without memory. At least k rows in all. */
int64_t shoal_split(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes,
                    const int64_t *weight, int64_t n, int64_t k, int32_t *group)
{
    int64_t widest = 0, top = 1;
    for (int32_t j = 0; j < q; j++)
        widest = first[j + 1] - first[j] > widest ? first[j + 1] - first[j] : widest;
    splitter s = {parent, codes, price, first, weight, q, k, 0, NULL, NULL, group, NULL, NULL, NULL};
    s.at = malloc((size_t)(n + 1) * sizeof *s.at);
    s.spare = malloc((size_t)(n + 1) * sizeof *s.spare);
    s.inside = calloc((size_t)widest + 1, sizeof *s.inside);
    s.seen = malloc((size_t)(widest + 1) * sizeof *s.seen);
    s.closure = malloc((size_t)(q + 1) * sizeof *s.closure);
    segment *stack = malloc((size_t)(n + widest + 2) * sizeof *stack);
    int fine = s.at && s.spare && s.inside && s.seen && s.closure && stack;
    if (fine) {
        for (int64_t i = 0; i < n; i++)
            s.at[i] = (int32_t)i;
        stack[0] = (segment){0, n};
    }
    while (fine && top > 0) {
        segment g = stack[--top];
        double best = 0;
        int32_t which = -1, with = -1;
        close_segment(&s, g);
        for (int32_t j = 0; j < q; j++) {
            int32_t stays;
            if (s.closure[j] == codes[(int64_t)s.at[g.begin] * q + j])
                continue; /* one value only */
            double saved = saving(&s, g, j, &stays);
            if (saved > best) {
                best = saved;
                which = j;
                with = stays;
            }
        }
        if (which < 0)
            settle(&s, g);
        else
            top += open_column(&s, g, which, with, stack + top);
    }
    free(s.at);
    free(s.spare);
    free(s.inside);
    free(s.seen);
    free(s.closure);
    free(stack);
    return fine ? s.n_groups : -1;
}
