/* FOREST and DECOMPOSE-COMPONENT on vertices that are numbers, and what groups would cost without one of their rows. */
#include "forest.h"
#include <stdlib.h>
#include <string.h>
#include "tree.inc"

/* ---- FOREST: components of at least k rows, each vertex with at most one edge to one of its k - 1 nearest ---- */

typedef struct {
    double length;
    int32_t vertex;
} Edge;

static int sooner(Edge a, Edge b)
{
    return a.length < b.length || (a.length == b.length && a.vertex < b.vertex);
}

static void sift_down(Edge *heap, int64_t size, int64_t i)
{
    Edge x = heap[i];
    for (;;) {
        int64_t c = 2 * i + 1;
        if (c >= size)
            break;
        if (c + 1 < size && sooner(heap[c + 1], heap[c]))
            c++;
        if (!sooner(heap[c], x))
            break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = x;
}

static int32_t find(int32_t *above, int32_t v)
{
    while (above[v] != v) {
        above[v] = above[above[v]];
        v = above[v];
    }
    return v;
}

/* Shortest edges first. Every vertex below the threshold stays in the heap until it has an edge or its component is large:
   the one vertex of a small component that has no edge is always there. Returns -1 without memory, -2 if a list ends early. */
int32_t shoal_grow_forest(const int64_t *weight, int64_t n, int64_t k, const int32_t *index, const double *distance,
                          int64_t width, int32_t *to, double *length)
{
    int32_t *above = malloc(sizeof(int32_t) * (size_t)n), *cursor = calloc((size_t)n, sizeof(int32_t));
    int64_t *size = malloc(sizeof(int64_t) * (size_t)n);
    Edge *heap = malloc(sizeof(Edge) * (size_t)n);
    int32_t status = above && cursor && size && heap ? 0 : -1;
    int64_t waiting = 0;
    for (int64_t v = 0; !status && v < n; v++) {
        above[v] = (int32_t)v;
        size[v] = weight[v];
        to[v] = -1;
        length[v] = 0.0;
        if (weight[v] < k)
            heap[waiting++] = (Edge){distance[v * width], (int32_t)v};
    }
    for (int64_t i = waiting / 2 - 1; i >= 0; i--)
        sift_down(heap, waiting, i);
    while (!status && waiting) {
        int32_t u = heap[0].vertex, own = find(above, u);
        if (size[own] < k) {
            int64_t c = cursor[u];
            while (c < width && index[u * width + c] >= 0 && find(above, index[u * width + c]) == own)
                c++;
            cursor[u] = (int32_t)c;
            if (c == width || index[u * width + c] < 0) {
                status = -2;
                break;
            }
            if (distance[u * width + c] > heap[0].length) {
                heap[0].length = distance[u * width + c];
                sift_down(heap, waiting, 0);
                continue;
            }
            to[u] = index[u * width + c];
            length[u] = distance[u * width + c];
            int32_t other = find(above, to[u]);
            int32_t low = size[own] < size[other] ? own : other, high = low == own ? other : own;
            above[low] = high;
            size[high] += size[low];
        }
        heap[0] = heap[--waiting];
        if (waiting)
            sift_down(heap, waiting, 0);
    }
    free(above);
    free(cursor);
    free(size);
    free(heap);
    return status;
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

static int make_order(Forest *f)
{
    int32_t *open = calloc((size_t)f->n, sizeof(int32_t));
    if (!open)
        return -1;
    for (int64_t v = 0; v < f->n; v++)
        if (f->to[v] >= 0)
            open[f->to[v]]++;
    int64_t done = 0;
    for (int64_t v = 0; v < f->n; v++)
        if (!open[v])
            f->order[done++] = (int32_t)v;
    for (int64_t i = 0; i < done; i++) {
        int32_t up = f->to[f->order[i]];
        if (up >= 0 && --open[up] == 0)
            f->order[done++] = up;
    }
    free(open);
    return done == f->n ? 0 : -2; /* a cycle */
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
        if (sum >= k) {
            part++;
            sum = 0;
        }
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
        if (b[i].part == last) {
            b[i].part = part;
            taken += b[i].size;
        }
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
            if (f->size[c] >= f->k) {
                u = c;
                moved = 1;
            }
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
    for (int64_t v = 0; v < f->n; v++) {
        f->first[v] = f->next[v] = -1;
        f->size[v] = 1;
    }
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

/* rounds: falling lengths, the last one not above any edge; long edges are cut first. Returns the number of groups,
   -1 without memory, -2 if the edges have a cycle. */
int32_t shoal_decompose(const int32_t *to, const double *length, int64_t n, int64_t k, const double *rounds, int32_t n_rounds,
                        int32_t *group)
{
    size_t m = (size_t)n;
    Forest f = {.n = n, .k = k, .group = group};
    int32_t *block = malloc(sizeof(int32_t) * m * 6);
    int64_t *sizes = malloc(sizeof(int64_t) * m * 2);
    Branch *b = malloc(sizeof(Branch) * (m + 1));
    int32_t status = block && sizes && b ? 0 : -1;
    if (!status) {
        f.to = block;
        f.order = block + m;
        f.root = block + 2 * m;
        f.first = block + 3 * m;
        f.next = block + 4 * m;
        f.size = sizes;
        f.left = sizes + m;
        memcpy(f.to, to, sizeof(int32_t) * m);
        status = make_order(&f);
    }
    if (!status) {
        find_roots(&f);
        for (int32_t r = 0; r < n_rounds; r++)
            cut(&f, length, rounds[r]);
        status = label_components(&f, b, block + 5 * m);
    }
    free(block);
    free(sizes);
    free(b);
    return status;
}

/* ---- what each group would show without one of its rows: joins of prefixes and suffixes ---- */

void shoal_leave_one_out(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes,
                         const int32_t *tuples, const int64_t *start, int64_t n_groups, int32_t *suffix, double *whole,
                         double *without)
{
    for (int64_t g = 0; g < n_groups; g++) {
        int64_t begin = start[g], end = start[g + 1];
        whole[g] = 0.0;
        for (int64_t i = begin; i < end; i++)
            without[i] = 0.0;
        for (int32_t j = 0; j < q && begin < end; j++) {
            const int32_t *up = parent + first[j];
            const double *of = price + first[j];
            suffix[end - 1] = codes[(int64_t)tuples[end - 1] * q + j];
            for (int64_t i = end - 2; i >= begin; i--)
                suffix[i] = join(up, suffix[i + 1], codes[(int64_t)tuples[i] * q + j]);
            whole[g] += of[suffix[begin]];
            int32_t prefix = -1;
            for (int64_t i = begin; i < end; i++) {
                int32_t rest = i + 1 == end ? prefix : prefix < 0 ? suffix[i + 1] : join(up, prefix, suffix[i + 1]);
                without[i] += rest < 0 ? 0.0 : of[rest];
                int32_t own = codes[(int64_t)tuples[i] * q + j];
                prefix = prefix < 0 ? own : join(up, prefix, own);
            }
        }
    }
}
