/* FOREST and DECOMPOSE-COMPONENT on vertices that are numbers, and what groups would cost without one of their rows. */
#include "../base/heap.h"
#include "../base/memory.h"
#include "../table/trees.h"
#include "matching.h"

/* ---- FOREST: components of at least k rows, each vertex with at most one edge to one of its k - 1 nearest ---- */

typedef struct {
    double length;
    int32_t vertex;
} Edge;

HEAP(edges, Edge, const void *, a->length < b->length || (a->length == b->length && a->vertex < b->vertex))

typedef struct {
    const int32_t *index; /* lists of neighbours, and how far they are */
    const double *distance;
    int64_t k, width, waiting;
    int32_t *above, *cursor;
    int64_t *size;
    Edge *heap;
    int32_t *to;
    double *length;
} Growth;

static int32_t find(int32_t *above, int32_t v)
{
    while (above[v] != v)
        above[v] = above[above[v]], v = above[v];
    return v;
}

/* Move the cursor of u past its own component; -1 at the end of its list. */
static int64_t next_neighbour(Growth *g, int32_t u, int32_t own)
{
    const int32_t *list = g->index + u * g->width;
    int64_t c = g->cursor[u];
    while (c < g->width && list[c] >= 0 && find(g->above, list[c]) == own)
        c++;
    g->cursor[u] = (int32_t)c;
    return c < g->width && list[c] >= 0 ? u * g->width + c : -1;
}

static void connect(Growth *g, int32_t u, int32_t own, int64_t at)
{
    g->to[u] = g->index[at];
    g->length[u] = g->distance[at];
    int32_t other = find(g->above, g->to[u]), low = g->size[own] < g->size[other] ? own : other, high = low == own ? other : own;
    g->above[low] = high;
    g->size[high] += g->size[low];
}

/* Shortest edges first. Every vertex below the threshold stays in the heap until it has an edge or its component is large: the one vertex
   of a small component that has no edge is always there. */
static shoal_status grow_all(Growth *g)
{
    while (g->waiting) {
        int32_t u = g->heap[0].vertex, own = find(g->above, u);
        if (g->size[own] < g->k) {
            int64_t at = next_neighbour(g, u, own);
            if (at < 0)
                return SHOAL_BAD_ARGUMENT;
            if (g->distance[at] > g->heap[0].length) {
                g->heap[0].length = g->distance[at];
                edges_down(NULL, g->heap, g->waiting, 0);
                continue;
            }
            connect(g, u, own, at);
        }
        edges_drop(NULL, g->heap, --g->waiting);
    }
    return SHOAL_OK;
}

int64_t shoal_grow_forest(const int64_t *weight, int64_t n, int64_t k, const int32_t *index, const double *distance, int64_t width,
                          int32_t *to, double *length)
{
    Bag bag = {0};
    Growth g = {.index = index, .distance = distance, .k = k, .width = width, .to = to, .length = length};
    TAKE(&bag, g.above, n), TAKE_ZEROS(&bag, g.cursor, n), TAKE(&bag, g.size, n), TAKE(&bag, g.heap, n);
    shoal_status status = SHOAL_OK;
    for (int64_t v = 0; !bag.failed && v < n; v++) {
        g.above[v] = (int32_t)v;
        g.size[v] = weight[v];
        to[v] = -1;
        length[v] = 0.0;
        if (weight[v] < k)
            g.heap[g.waiting++] = (Edge){distance[v * width], (int32_t)v};
    }
    if (!bag.failed) {
        edges_make(NULL, g.heap, g.waiting);
        status = grow_all(&g);
    }
    return bag_end(&bag, status);
}

/* ---- DECOMPOSE-COMPONENT, in the form that holds (docs/guarantees.md) ---- */

typedef struct {
    int64_t n, k;
    int32_t *to;       /* the edge towards the root of the component; -1 at a root, and where it was cut */
    int32_t *order;    /* children before their parents */
    int32_t *root;
    int64_t *size;     /* of the part below, then of the component at its root */
    int64_t *left;     /* per root: vertices of the component not cut off yet */
    int32_t *first, *next; /* children lists */
    int32_t *group;
} Forest;

static shoal_status make_order(Forest *f, int32_t *open)
{
    int64_t done = 0;
    for (int64_t v = 0; v < f->n; v++)
        if (f->to[v] >= 0)
            open[f->to[v]]++;
    for (int64_t v = 0; v < f->n; v++)
        if (!open[v])
            f->order[done++] = (int32_t)v;
    for (int64_t i = 0; i < done; i++) {
        int32_t up = f->to[f->order[i]];
        if (up >= 0 && --open[up] == 0)
            f->order[done++] = up;
    }
    return done == f->n ? SHOAL_OK : SHOAL_BAD_ARGUMENT; /* a cycle */
}

static void find_roots(Forest *f)
{
    for (int64_t i = f->n - 1; i >= 0; i--) {
        int32_t v = f->order[i];
        f->root[v] = f->to[v] < 0 ? v : f->root[f->to[v]];
        f->left[v] = 0;
    }
    for (int64_t v = 0; v < f->n; v++)
        f->left[f->root[v]]++;
}

/* Cut every edge of at least this length that leaves k vertices on both of its sides. From below: a part's size is final when
   its edge is met, and the rest of its component only shrinks, so that no such edge is left behind. */
static void cut(Forest *f, const double *length, double least)
{
    for (int64_t v = 0; v < f->n; v++)
        f->size[v] = 1;
    for (int64_t i = 0; i < f->n; i++) {
        int32_t v = f->order[i], up = f->to[v];
        if (up < 0)
            continue;
        int32_t root = f->root[v];
        if (length[v] >= least && f->size[v] >= f->k && f->left[root] - f->size[v] >= f->k) {
            f->left[root] -= f->size[v];
            f->to[v] = -1;
        } else {
            f->size[up] += f->size[v];
        }
    }
    find_roots(f);
}

static void label(Forest *f, int32_t top, int32_t except, int32_t group, int32_t *stack)
{
    int64_t high = 0;
    stack[high++] = top;
    while (high) {
        int32_t v = stack[--high];
        f->group[v] = group;
        for (int32_t c = f->first[v]; c >= 0; c = f->next[c])
            if (c != except)
                stack[high++] = c;
    }
}

typedef struct {
    int64_t size;
    int32_t top, part; /* the branch's vertex next to the centre (the component's root for the upper branch), and its group */
} Branch;

/* No edge has k vertices on both sides and the component is too large: a centre has all branches below k. Returns how many
   groups the branches were put into; *centre_part is the group of the centre itself. */
static int32_t part_branches(Branch *b, int32_t n, int64_t k, int64_t most, int32_t *centre_part)
{
    int32_t part = 0;
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++) {
        b[i].part = part;
        sum += b[i].size;
        if (sum >= k)
            part++, sum = 0;
    }
    if (sum == k - 1) { /* the leftover and the centre */
        *centre_part = part;
        return part + 1;
    }
    int32_t last = part - 1;
    int64_t merged = 0;
    int32_t large = -1;
    for (int32_t i = 0; i < n; i++)
        if (b[i].part >= last) {
            b[i].part = last;
            merged += b[i].size;
            if (b[i].size == k - 1 && large < 0)
                large = i;
        }
    *centre_part = last;
    if (merged + 1 <= most)
        return part;
    if (large >= 0) { /* a branch of k - 1 and the centre; the rest */
        b[large].part = part;
        *centre_part = part;
        return part + 1;
    }
    int64_t taken = 0;
    for (int32_t i = 0; i < n && taken < k - 1; i++) /* case D: all branches are at most k - 2 */
        if (b[i].part == last)
            b[i].part = part, taken += b[i].size;
    *centre_part = merged - taken == k - 1 ? last : part;
    return part + 1;
}

static int32_t split_component(Forest *f, int32_t root, int32_t group, Branch *b, int32_t *stack)
{
    int64_t total = f->size[root];
    int32_t u = root;
    for (int moved = 1; moved;) {
        moved = 0;
        for (int32_t c = f->first[u]; c >= 0 && !moved; c = f->next[c])
            if (f->size[c] >= f->k)
                u = c, moved = 1;
    }
    int32_t n = 0, centre_part = 0;
    if (u != root)
        b[n++] = (Branch){total - f->size[u], root, 0};
    for (int32_t c = f->first[u]; c >= 0; c = f->next[c])
        b[n++] = (Branch){f->size[c], c, 0};
    int64_t most = 2 * f->k - 1 > 3 * f->k - 5 ? 2 * f->k - 1 : 3 * f->k - 5;
    int32_t parts = part_branches(b, n, f->k, most, &centre_part);
    for (int32_t i = 0; i < n; i++)
        label(f, b[i].top, u, group + b[i].part, stack);
    f->group[u] = group + centre_part;
    return parts;
}

static int32_t label_components(Forest *f, Branch *b, int32_t *stack)
{
    int64_t most = 2 * f->k - 1 > 3 * f->k - 5 ? 2 * f->k - 1 : 3 * f->k - 5;
    for (int64_t v = 0; v < f->n; v++)
        f->first[v] = f->next[v] = -1, f->size[v] = 1;
    for (int64_t i = 0; i < f->n; i++) {
        int32_t v = f->order[i], up = f->to[v];
        if (up < 0)
            continue;
        f->size[up] += f->size[v];
        f->next[v] = f->first[up];
        f->first[up] = v;
    }
    int32_t group = 0;
    for (int64_t v = 0; v < f->n; v++) {
        if (f->to[v] >= 0)
            continue;
        if (f->size[v] > most) {
            group += split_component(f, (int32_t)v, group, b, stack);
        } else {
            label(f, (int32_t)v, -1, group++, stack);
        }
    }
    return group;
}

int64_t shoal_decompose(const int32_t *to, const double *length, int64_t n, int64_t k, const double *rounds, int32_t n_rounds, int32_t *group)
{
    Bag bag = {0};
    Forest f = {.n = n, .k = k, .group = group};
    TAKE(&bag, f.to, n), TAKE(&bag, f.order, n), TAKE(&bag, f.root, n), TAKE(&bag, f.first, n), TAKE(&bag, f.next, n);
    TAKE(&bag, f.size, n), TAKE(&bag, f.left, n);
    int32_t *stack = take_zeros(&bag, n, sizeof *stack);
    Branch *b = take(&bag, n, sizeof *b);
    int64_t answer = SHOAL_BAD_ARGUMENT;
    if (!bag.failed) {
        memcpy(f.to, to, sizeof(int32_t) * (size_t)n);
        answer = make_order(&f, stack);
    }
    if (answer == SHOAL_OK) {
        find_roots(&f);
        for (int32_t r = 0; r < n_rounds; r++)
            cut(&f, length, rounds[r]);
        answer = label_components(&f, b, stack);
    }
    return bag_end(&bag, answer);
}

/* ---- what each group would show without one of its rows: joins of prefixes and suffixes ---- */

static void leave_out(const shoal_table *t, int32_t j, const int32_t *tuples, int64_t n, int32_t *suffix, double *whole, double *without)
{
    const int32_t *parent = tree_of(t, j);
    const double *price = prices_of(t, j);
    int32_t prefix = -1;
    suffix[n - 1] = leaf_of(t, tuples[n - 1], j);
    for (int64_t i = n - 2; i >= 0; i--)
        suffix[i] = join(parent, suffix[i + 1], leaf_of(t, tuples[i], j));
    *whole += price[suffix[0]];
    for (int64_t i = 0; i < n; i++) {
        int32_t own = leaf_of(t, tuples[i], j), rest = prefix;
        if (i + 1 < n)
            rest = prefix < 0 ? suffix[i + 1] : join(parent, prefix, suffix[i + 1]);
        without[i] += rest < 0 ? 0.0 : price[rest];
        prefix = prefix < 0 ? own : join(parent, prefix, own);
    }
}

int64_t shoal_leave_one_out(const shoal_table *t, const int32_t *tuples, const int64_t *start, int64_t n_groups, int32_t *suffix,
                            double *whole, double *without)
{
    for (int64_t g = 0; g < n_groups; g++) {
        int64_t begin = start[g], n = start[g + 1] - begin;
        whole[g] = 0.0;
        for (int64_t i = 0; i < n; i++)
            without[begin + i] = 0.0;
        for (int32_t j = 0; j < t->q && n > 0; j++)
            leave_out(t, j, tuples + begin, n, suffix, whole + g, without + begin);
    }
    return SHOAL_OK;
}
