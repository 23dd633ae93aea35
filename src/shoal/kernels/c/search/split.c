/* Top-down split along the hierarchies: a group opens the column that lowers the loss most, as long as one does. */
#include "../base/memory.h"
#include "../table/trees.h"
#include "search.h"

typedef struct {
    shoal_table t;
    int64_t k, n_groups;
    int32_t *at, *spare, *group; /* tuples in the order of their groups */
    int64_t *inside;             /* rows below each child of the node that is opened; zero between uses */
    int32_t *seen, *closure;
} Splitter;

typedef struct {
    int64_t begin, end;
} Segment;

static inline int32_t child_of(const Splitter *s, int32_t tuple, int32_t j)
{
    return child_above(tree_of(&s->t, j), leaf_of(&s->t, tuple, j), s->closure[j]);
}

static void close_segment(Splitter *s, Segment g)
{
    for (int32_t j = 0; j < s->t.q; j++) {
        int32_t node = leaf_of(&s->t, s->at[g.begin], j);
        for (int64_t i = g.begin + 1; i < g.end; i++)
            node = join_in(&s->t, j, node, leaf_of(&s->t, s->at[i], j));
        s->closure[j] = node;
    }
}

/* Counts the rows below each child of the closure of column j. Returns how many children were met. */
static int32_t count_children(Splitter *s, Segment g, int32_t j)
{
    int32_t n_seen = 0;
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t child = child_of(s, s->at[i], j);
        if (s->inside[child] == 0)
            s->seen[n_seen++] = child;
        s->inside[child] += s->t.weight[s->at[i]];
    }
    return n_seen;
}

/* What opening column j saves. Children below k stay behind together; if they are fewer than k rows, the child that saves least
 * stays with them (`with`). */
static double saving(Splitter *s, Segment g, int32_t j, int32_t *with)
{
    const double *price = prices_of(&s->t, j);
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
        if (least < 0 || saved < least)
            least = saved, *with = child;
    }
    if (small == 0 || small >= s->k)
        *with = -1;
    return *with >= 0 ? total - least : total;
}

/* Lays the tuples of a Segment out by child; the small children and `with` come last. Fills the ends of the pieces, in `seen`
 * order, into spare's place; returns the number of pieces pushed. */
static int64_t open_column(Splitter *s, Segment g, int32_t j, int32_t with, Segment *stack)
{
    int32_t n_seen = count_children(s, g, j);
    int64_t pushed = 0, to = g.begin;
    memcpy(s->spare + g.begin, s->at + g.begin, (size_t)(g.end - g.begin) * sizeof *s->at);
    /* how many tuples each child has; a pass for each child would cost too much, so tuples are placed by running offsets */
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t child = s->seen[i];
        s->inside[child] = s->inside[child] >= s->k && child != with ? 0 : -1; /* -1: stays behind */
    }
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t child = child_of(s, s->spare[i], j);
        if (s->inside[child] >= 0)
            s->inside[child]++;
    }
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t child = s->seen[i];
        if (s->inside[child] < 0)
            continue;
        int64_t tuples = s->inside[child];
        stack[pushed++] = (Segment){to, to + tuples};
        s->inside[child] = to;
        to += tuples;
    }
    if (to < g.end)
        stack[pushed++] = (Segment){to, g.end};
    for (int64_t i = g.begin; i < g.end; i++) {
        int32_t t = s->spare[i], child = child_of(s, t, j);
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
static void settle(Splitter *s, Segment g)
{
    double paid = price_of_nodes(&s->t, s->closure);
    int64_t rows = 0, run = 0;
    for (int64_t i = g.begin; i < g.end; i++)
        rows += s->t.weight[s->at[i]];
    for (int64_t i = g.begin; i < g.end; i++) {
        s->group[s->at[i]] = (int32_t)s->n_groups;
        run += s->t.weight[s->at[i]];
        rows -= s->t.weight[s->at[i]];
        if (run >= s->k && rows >= s->k && paid > 0)
            s->n_groups++, run = 0;
    }
    s->n_groups++;
}

/* The column that saves most, -1 for none; `with` is the child that stays behind with the small ones. */
static int32_t best_column(Splitter *s, Segment g, int32_t *with)
{
    double best = 0;
    int32_t which = -1, stays;
    for (int32_t j = 0; j < s->t.q; j++) {
        if (s->closure[j] == leaf_of(&s->t, s->at[g.begin], j))
            continue; /* one value only */
        double saved = saving(s, g, j, &stays);
        if (saved > best)
            best = saved, which = j, *with = stays;
    }
    return which;
}

int64_t shoal_split(const shoal_table *t, int64_t k, int32_t *group)
{
    Bag bag = {0};
    int64_t widest = widest_tree(t), top = 0;
    Splitter s = {.t = *t, .k = k, .group = group};
    TAKE(&bag, s.at, t->n), TAKE(&bag, s.spare, t->n), TAKE_ZEROS(&bag, s.inside, widest), TAKE(&bag, s.seen, widest);
    TAKE(&bag, s.closure, t->q);
    Segment *stack = take(&bag, t->n + widest + 1, sizeof *stack);
    if (!bag.failed) {
        for (int64_t i = 0; i < t->n; i++)
            s.at[i] = (int32_t)i;
        stack[top++] = (Segment){0, t->n};
    }
    while (top > 0) {
        Segment g = stack[--top];
        int32_t with = -1;
        close_segment(&s, g);
        int32_t which = best_column(&s, g, &with);
        if (which < 0)
            settle(&s, g);
        else
            top += open_column(&s, g, which, with, stack + top);
    }
    return bag_end(&bag, s.n_groups);
}
