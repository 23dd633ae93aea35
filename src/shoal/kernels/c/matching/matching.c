/* Maximum-weight matching in a general graph, with its dual prices: Edmonds' primal-dual method, one tree at a time.

   Dual prices y of vertices and z >= 0 of blossoms (odd sets) prove a matching to be best: y_u + y_v + (z of all blossoms that
   hold both) >= gain of uv for every edge, equal on matched edges, blossoms full, and y = 0 at vertices left alone (where they
   may be). A search grows an alternating tree from one exposed vertex. The search has a time of its own. In each unit of time y falls by 1
   at even vertices of the tree and rises at odd ones, z rises by 2 at even blossoms and falls at odd ones. A heap holds what
   happens next: an edge gets tight, an odd blossom is used up, an even vertex reaches 0. What lies outside of the tree does
   not move, so trees stay as small as the problem is local.

   All is in integers. Gains are even; then the vertices of a tree have one parity and no halves arise. The values of labelled
   nodes are kept as they would have been at time 0, and are brought up to date when the label is removed. So an even blossom that
   takes in others does not touch the vertices that were even before. */
#include "../base/heap.h"
#include "../base/memory.h"
#include "graph.h"

enum { FREE, EVEN, ODD };
enum { TIGHT, USED_UP, AT_ZERO };

typedef struct {
    int64_t time;
    int32_t kind, id;
} Event;

typedef struct {
    int32_t n;      /* how many children; odd */
    int32_t *child; /* around the cycle, the child that holds the base first */
    int32_t *edge;  /* edge[i] joins child i and child i + 1 */
} Cycle;

struct shoal_matching {
    int32_t n;
    int64_t m;
    const int32_t *from, *to;
    const int64_t *gain;
    int32_t perfect;
    int64_t *start;         /* edges at a vertex: at[start[v] .. start[v + 1]] */
    int32_t *at;
    int32_t *mate;          /* matched edge of a vertex, or -1 */
    int64_t *y, *z;         /* z by node number, blossoms only */
    int32_t *parent, *base, *label, *entry; /* by node: vertices 0 .. n-1, blossoms n .. 2n-1 */
    int32_t *jump, *jump_age, *age; /* a node further up; valid as long as that node's age has not changed since */
    Cycle *cycle;
    int32_t *spare, n_spare;
    Event *heap;
    int64_t n_heap, room_heap;
    int32_t *tree, n_tree;  /* nodes that were labelled in this search */
    int32_t *mark, mark_number;
    int32_t *scratch, *stack, *left, *right, *left_edge, *right_edge, *turn_child, *turn_edge;
    int64_t now, work;
    int32_t next_root, no_memory;
    Bag bag;
};

/* ---- helpers ---- */

static inline int32_t other_end(const shoal_matching *x, int32_t e, int32_t v) { return x->from[e] == v ? x->to[e] : x->from[e]; }

/* The outermost node that holds a node. Paths are shortened; a blossom that was opened is recognized by its age. */
static int32_t top_of(const shoal_matching *x, int32_t v)
{
    int32_t b = v;
    while (x->parent[b] >= 0)
        b = x->jump_age[b] == x->age[x->jump[b]] ? x->jump[b] : x->parent[b];
    while (x->parent[v] >= 0) {
        int32_t next = x->jump_age[v] == x->age[x->jump[v]] ? x->jump[v] : x->parent[v];
        x->jump[v] = b;
        x->jump_age[v] = x->age[b];
        v = next;
    }
    return b;
}

static inline int64_t moved(const shoal_matching *x, int32_t label) { return label == EVEN ? -x->now : label == ODD ? x->now : 0; }

static inline int64_t value(const shoal_matching *x, int32_t v) { return x->y[v] + moved(x, x->label[top_of(x, v)]); }

static inline int64_t slack(const shoal_matching *x, int32_t e) { return value(x, x->from[e]) + value(x, x->to[e]) - x->gain[e]; }

static inline int32_t end_in(const shoal_matching *x, int32_t e, int32_t top) { return top_of(x, x->from[e]) == top ? x->from[e] : x->to[e]; }

HEAP(events, Event, const void *,
     a->time != b->time ? a->time < b->time : a->kind != b->kind ? a->kind > b->kind : a->id < b->id)

static void push(shoal_matching *x, int64_t time, int32_t kind, int32_t id)
{
    if (!grow(&x->heap, &x->room_heap, x->n_heap + 1, sizeof *x->heap)) {
        x->no_memory = 1;
        return;
    }
    events_up(NULL, x->heap, x->n_heap++, (Event){time, kind, id});
}

static Event pop(shoal_matching *x)
{
    Event first = x->heap[0];
    events_drop(NULL, x->heap, --x->n_heap);
    return first;
}

/* The vertices of a node, written to `out`; returns how many. */
static int32_t vertices_of(shoal_matching *x, int32_t b, int32_t *out)
{
    int32_t count = 0, top = 0;
    x->stack[top++] = b;
    while (top) {
        int32_t c = x->stack[--top];
        if (c < x->n)
            out[count++] = c;
        else
            for (int32_t i = x->cycle[c].n - 1; i >= 0; i--)
                x->stack[top++] = x->cycle[c].child[i];
    }
    return count;
}

/* Keep the values of a node's vertices as another label asks for. */
static void convert(shoal_matching *x, int32_t b, int32_t from, int32_t to)
{
    int64_t change = moved(x, from) - moved(x, to);
    if (!change)
        return;
    int32_t count = vertices_of(x, b, x->scratch);
    for (int32_t i = 0; i < count; i++)
        x->y[x->scratch[i]] += change;
}

static void relabel(shoal_matching *x, int32_t b, int32_t label)
{
    if (b >= x->n)
        x->z[b] -= 2 * (moved(x, x->label[b]) - moved(x, label));
    x->label[b] = label;
}

static void settle(shoal_matching *x, int32_t b)
{
    convert(x, b, x->label[b], FREE);
    relabel(x, b, FREE);
}

/* ---- labels ---- */

static void watch_edges(shoal_matching *x, int32_t v)
{
    int32_t b = top_of(x, v);
    x->work += x->start[v + 1] - x->start[v] + 1;
    for (int64_t i = x->start[v]; i < x->start[v + 1]; i++) {
        int32_t e = x->at[i], c = top_of(x, other_end(x, e, v));
        if (c == b || x->label[c] == ODD)
            continue;
        int64_t s = slack(x, e);
        push(x, x->now + (x->label[c] == EVEN ? s / 2 : s), TIGHT, e);
    }
    if (!x->perfect)
        push(x, x->now + value(x, v), AT_ZERO, v);
}

static void label_node(shoal_matching *x, int32_t b, int32_t label, int32_t entry)
{
    relabel(x, b, label);
    x->entry[b] = entry;
    x->tree[x->n_tree++] = b;
}

static void label_even(shoal_matching *x, int32_t b, int32_t entry)
{
    convert(x, b, FREE, EVEN);
    label_node(x, b, EVEN, entry);
    int32_t count = vertices_of(x, b, x->scratch);
    for (int32_t i = 0; i < count; i++)
        watch_edges(x, x->scratch[i]);
}

static void stay_odd(shoal_matching *x, int32_t b, int32_t entry)
{
    label_node(x, b, ODD, entry);
    if (b >= x->n)
        push(x, x->z[b] / 2, USED_UP, b);
}

static void label_odd(shoal_matching *x, int32_t b, int32_t entry)
{
    convert(x, b, FREE, ODD);
    stay_odd(x, b, entry);
}

/* ---- blossoms ---- */

static int make_cycle(Cycle *cycle, int32_t n)
{
    cycle->n = n;
    cycle->child = malloc(sizeof(int32_t) * (size_t)n);
    cycle->edge = malloc(sizeof(int32_t) * (size_t)n);
    return cycle->child && cycle->edge;
}

/* One step of a tree from an even node towards the root: over its matched edge and the edge below it. */
static int32_t step_up(const shoal_matching *x, int32_t b)
{
    if (x->entry[b] < 0)
        return -1;
    int32_t odd = top_of(x, other_end(x, x->entry[b], end_in(x, x->entry[b], b)));
    return top_of(x, other_end(x, x->entry[odd], end_in(x, x->entry[odd], odd)));
}

/* The nodes from `b` up to but without `stop`, and the edge from each to the next. */
static int32_t climb(const shoal_matching *x, int32_t b, int32_t stop, int32_t *nodes, int32_t *edges)
{
    int32_t count = 0;
    while (b != stop) {
        nodes[count] = b;
        edges[count] = x->entry[b];
        b = top_of(x, other_end(x, x->entry[b], end_in(x, x->entry[b], b)));
        count++;
    }
    return count;
}

/* Where the ways from two even nodes to the root meet. */
static int32_t meeting_of(shoal_matching *x, int32_t a, int32_t b)
{
    for (x->mark_number++;;) {
        for (int side = 0; side < 2; side++) {
            int32_t *at = side ? &b : &a;
            if (*at < 0)
                continue;
            if (x->mark[*at] == x->mark_number)
                return *at;
            x->mark[*at] = x->mark_number;
            *at = step_up(x, *at);
        }
    }
}

/* The cycle that a tight edge between two even nodes closes becomes one even node. */
static void shrink(shoal_matching *x, int32_t e)
{
    int32_t u = top_of(x, x->from[e]), v = top_of(x, x->to[e]), meet = meeting_of(x, u, v);
    int32_t n_left = climb(x, u, meet, x->left, x->left_edge), n_right = climb(x, v, meet, x->right, x->right_edge);
    int32_t made = x->spare[--x->n_spare], at = 0;
    Cycle *cycle = x->cycle + made;
    if (!make_cycle(cycle, n_left + n_right + 1)) {
        x->no_memory = 1;
        return;
    }
    cycle->child[at++] = meet;
    for (int32_t i = n_left - 1; i >= 0; i--)
        cycle->edge[at - 1] = x->left_edge[i], cycle->child[at++] = x->left[i];
    cycle->edge[at - 1] = e;
    for (int32_t i = 0; i < n_right; i++)
        cycle->child[at] = x->right[i], cycle->edge[at++] = x->right_edge[i];
    int32_t entry = x->entry[meet], n_new = 0;
    for (int32_t i = 0; i < cycle->n; i++) {
        int32_t c = cycle->child[i];
        if (x->label[c] == ODD) { /* its vertices become even: remember them */
            convert(x, c, ODD, EVEN);
            n_new += vertices_of(x, c, x->turn_child + n_new);
        }
        relabel(x, c, FREE);
        x->parent[c] = made;
    }
    x->parent[made] = -1;
    x->base[made] = x->base[meet];
    x->z[made] = 0;
    label_node(x, made, EVEN, entry);
    for (int32_t i = 0; i < n_new; i++)
        watch_edges(x, x->turn_child[i]);
}

static int32_t child_with(const shoal_matching *x, int32_t b, int32_t v)
{
    int32_t c = v;
    while (x->parent[c] != b)
        c = x->parent[c];
    for (int32_t i = 0;; i++)
        if (x->cycle[b].child[i] == c)
            return i;
}

static void release(shoal_matching *x, int32_t b)
{
    free(x->cycle[b].child);
    free(x->cycle[b].edge);
    x->cycle[b] = (Cycle){0, NULL, NULL};
    x->label[b] = FREE;
    x->parent[b] = -1;
    x->spare[x->n_spare++] = b;
}

/* The children of a blossom become nodes of their own, free. */
static void open_up(shoal_matching *x, int32_t b)
{
    Cycle *cycle = x->cycle + b;
    x->age[b]++;
    for (int32_t i = 0; i < cycle->n; i++)
        x->parent[cycle->child[i]] = -1, x->label[cycle->child[i]] = FREE;
}

/* Edges from even vertices to the vertices of a node that has become free get tight some time. */
static void watch_free(shoal_matching *x, int32_t b)
{
    int32_t count = vertices_of(x, b, x->scratch);
    for (int32_t h = 0; h < count; h++) {
        int32_t v = x->scratch[h];
        x->work += x->start[v + 1] - x->start[v];
        for (int64_t g = x->start[v]; g < x->start[v + 1]; g++) {
            int32_t e = x->at[g];
            if (x->label[top_of(x, other_end(x, e, v))] == EVEN)
                push(x, x->now + slack(x, e), TIGHT, e);
        }
    }
}

/* An odd blossom is used up: the children between its entry and its base stay in the tree, the others leave it. */
static void expand(shoal_matching *x, int32_t b)
{
    int32_t entry = x->entry[b];
    relabel(x, b, FREE); /* its vertices are still kept as odd ones are: most of them stay so */
    int32_t inside = end_in(x, entry, b), at = child_with(x, b, inside);
    open_up(x, b);
    Cycle cycle = x->cycle[b];
    int32_t n = cycle.n, step = at % 2 ? 1 : n - 1, edge = entry, i = at;
    for (int32_t odd = 1;; odd = !odd) { /* label the odd ones first: even ones look at their labels */
        if (odd)
            stay_odd(x, cycle.child[i], edge);
        if (i == 0)
            break;
        edge = cycle.edge[step == 1 ? i : i - 1];
        i = (i + step) % n;
    }
    for (i = 0; i < n; i++)
        if (x->label[cycle.child[i]] == FREE)
            convert(x, cycle.child[i], ODD, FREE);
    i = at;
    for (int32_t odd = 1; i != 0; odd = !odd) {
        int32_t next = cycle.edge[step == 1 ? i : i - 1];
        i = (i + step) % n;
        if (odd)
            label_even(x, cycle.child[i], next);
    }
    for (i = 0; i < n; i++)
        if (x->label[cycle.child[i]] == FREE)
            watch_free(x, cycle.child[i]);
    release(x, b);
}

/* ---- augmenting ---- */

static void rebase(shoal_matching *x, int32_t b, int32_t v);

/* Turn the matching of one cycle round so that `child`, which holds v, comes first. */
static void turn(shoal_matching *x, int32_t b, int32_t child, int32_t v)
{
    Cycle *cycle = x->cycle + b;
    int32_t n = cycle->n, at = 0;
    while (cycle->child[at] != child)
        at++;
    x->base[b] = v;
    if (at == 0)
        return;
    int32_t step = at % 2 ? 1 : n - 1;
    for (int32_t i = at; i != 0;) {
        i = (i + step) % n; /* a child that loses its mate, and the one after it: they are matched now */
        int32_t next = (i + step) % n, e = cycle->edge[step == 1 ? i : next];
        int32_t ends[2] = {x->from[e], x->to[e]};
        for (int32_t s = 0; s < 2; s++) {
            int32_t c = ends[s];
            while (x->parent[c] != b)
                c = x->parent[c];
            rebase(x, c, ends[s]);
            x->mate[ends[s]] = e;
        }
        i = next;
    }
    for (int32_t i = 0; i < n; i++)
        x->turn_child[i] = cycle->child[(i + at) % n], x->turn_edge[i] = cycle->edge[(i + at) % n];
    memcpy(cycle->child, x->turn_child, sizeof(int32_t) * (size_t)n);
    memcpy(cycle->edge, x->turn_edge, sizeof(int32_t) * (size_t)n);
}

/* Make `v` the base of node `b`: the matching inside is turned round, from the innermost blossom outwards. */
static void rebase(shoal_matching *x, int32_t b, int32_t v)
{
    for (int32_t c = v; c != b; c = x->parent[c])
        turn(x, x->parent[c], c, v);
}

static void match_vertex(shoal_matching *x, int32_t v, int32_t e)
{
    rebase(x, top_of(x, v), v);
    x->mate[v] = e;
}

/* Turn the path from even vertex v to the root round; v itself is matched by e (or by nothing). */
static void augment(shoal_matching *x, int32_t v, int32_t e)
{
    for (;;) {
        int32_t even = top_of(x, v), up = x->entry[even];
        int32_t odd = up < 0 ? -1 : top_of(x, other_end(x, up, end_in(x, up, even)));
        match_vertex(x, v, e);
        if (odd < 0)
            return;
        e = x->entry[odd];
        int32_t inside = end_in(x, e, odd);
        match_vertex(x, inside, e);
        v = other_end(x, e, inside);
    }
}

/* ---- a search ---- */

static int tight(shoal_matching *x, int32_t e)
{
    int32_t u = x->from[e], v = x->to[e], a = top_of(x, u), b = top_of(x, v);
    if (a == b || x->label[a] == ODD || x->label[b] == ODD || (x->label[a] == FREE && x->label[b] == FREE))
        return 0;
    int64_t s = slack(x, e);
    if (x->label[a] == EVEN && x->label[b] == EVEN) {
        if (s > 0)
            push(x, x->now + s / 2, TIGHT, e);
        else
            shrink(x, e);
        return 0;
    }
    if (s > 0) {
        push(x, x->now + s, TIGHT, e);
        return 0;
    }
    if (x->label[a] == FREE) {
        SWAP(int32_t, u, v);
        b = a;
    }
    int32_t mate = x->mate[x->base[b]];
    if (mate < 0) {
        match_vertex(x, v, e);
        augment(x, u, e);
        return 1;
    }
    label_odd(x, b, e);
    label_even(x, top_of(x, other_end(x, mate, x->base[b])), mate);
    return 0;
}

static void end_search(shoal_matching *x)
{
    for (int32_t i = 0; i < x->n_tree; i++)
        if (x->label[x->tree[i]] != FREE)
            settle(x, x->tree[i]);
    for (int32_t i = 0; i < x->n_tree; i++) {
        int32_t b = x->tree[i];
        if (b >= x->n && x->cycle[b].n && x->parent[b] < 0 && x->z[b] == 0) {
            open_up(x, b);
            release(x, b);
        }
    }
    x->n_tree = 0;
    x->n_heap = 0;
    x->now = 0;
}

static shoal_status search(shoal_matching *x, int32_t root)
{
    int found = 0;
    label_even(x, top_of(x, root), -1);
    while (!found && !x->no_memory) {
        if (!x->n_heap)
            return SHOAL_BAD_ARGUMENT; /* nothing is left that could happen: this vertex cannot be matched */
        Event event = pop(x);
        x->now = event.time;
        x->work++;
        if (event.kind == TIGHT)
            found = tight(x, event.id);
        else if (event.kind == USED_UP) {
            int32_t b = event.id;
            if (x->cycle[b].n && x->parent[b] < 0 && x->label[b] == ODD && x->z[b] == 2 * x->now)
                expand(x, b);
        } else if (x->label[top_of(x, event.id)] == EVEN && value(x, event.id) == 0) {
            augment(x, event.id, -1);
            found = 1;
        }
    }
    end_search(x);
    return x->no_memory ? SHOAL_NO_MEMORY : SHOAL_OK;
}

/* ---- from outside ---- */

void shoal_matching_free(shoal_matching *x)
{
    if (!x)
        return;
    for (int32_t b = 0; x->cycle && b < 2 * x->n; b++) {
        free(x->cycle[b].child);
        free(x->cycle[b].edge);
    }
    free(x->heap);
    bag_end(&x->bag, 0);
    free(x);
}

static int allocate(shoal_matching *x)
{
    int64_t nodes = 2 * (int64_t)x->n;
    int32_t **ints[] = {&x->jump,  &x->jump_age, &x->age,  &x->parent, &x->base,      &x->label,      &x->entry,      &x->spare,     &x->mark,
                        &x->scratch, &x->stack,  &x->left, &x->right,  &x->left_edge, &x->right_edge, &x->turn_child, &x->turn_edge, &x->mate};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = take_zeros(&x->bag, nodes, sizeof(int32_t));
    TAKE(&x->bag, x->tree, 4 * nodes + 72), TAKE_ZEROS(&x->bag, x->start, x->n), TAKE(&x->bag, x->at, 2 * x->m);
    TAKE_ZEROS(&x->bag, x->y, nodes), TAKE_ZEROS(&x->bag, x->z, nodes), TAKE_ZEROS(&x->bag, x->cycle, nodes);
    return !x->bag.failed;
}

/* Prices that are feasible, each lowered as far as the ones before it allow, and the tight edges that this leaves. */
static void start_prices(shoal_matching *x)
{
    for (int32_t v = 0; v < x->n; v++)
        for (int64_t i = x->start[v]; i < x->start[v + 1]; i++)
            if (x->gain[x->at[i]] / 2 > x->y[v] || (x->perfect && i == x->start[v]))
                x->y[v] = x->gain[x->at[i]] / 2;
    for (int32_t v = 0; v < x->n; v++) {
        int64_t least = x->perfect ? INT64_MIN : 0;
        for (int64_t i = x->start[v]; i < x->start[v + 1]; i++) {
            int32_t e = x->at[i];
            int64_t need = x->gain[e] - x->y[other_end(x, e, v)];
            least = need > least ? need : least;
        }
        if (least > INT64_MIN)
            x->y[v] = least;
    }
}

static void match_greedily(shoal_matching *x)
{
    for (int32_t v = 0; v < x->n; v++)
        for (int64_t i = x->start[v]; x->mate[v] < 0 && i < x->start[v + 1]; i++) {
            int32_t e = x->at[i], u = other_end(x, e, v);
            if (x->mate[u] < 0 && x->y[u] + x->y[v] == x->gain[e])
                x->mate[u] = x->mate[v] = e;
        }
}

shoal_matching *shoal_matching_new(const shoal_graph *graph, int32_t perfect, const int64_t *dual, const int32_t *mate)
{
    shoal_matching *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    int32_t n = x->n = graph->n;
    x->m = graph->m;
    x->perfect = perfect;
    if (!allocate(x)) {
        shoal_matching_free(x);
        return NULL;
    }
    x->from = graph->from;
    x->to = graph->to;
    x->gain = graph->weight;
    list_edges(graph, x->start, x->at);
    for (int32_t b = 0; b < 2 * n; b++)
        x->parent[b] = -1, x->base[b] = b, x->jump_age[b] = -1;
    for (int32_t b = 2 * n - 1; b >= n; b--)
        x->spare[x->n_spare++] = b;
    for (int32_t v = 0; v < n; v++)
        x->mate[v] = mate ? mate[v] : -1;
    if (dual)
        memcpy(x->y, dual, sizeof(int64_t) * (size_t)n);
    else
        start_prices(x);
    match_greedily(x);
    return x;
}

int64_t shoal_matching_run(shoal_matching *x, int64_t work)
{
    for (x->work = 0; x->next_root < x->n; x->next_root++) {
        int32_t v = x->next_root;
        if (x->mate[v] >= 0 || (!x->perfect && x->y[v] == 0))
            continue;
        if (x->work > work)
            return SHOAL_STOPPED;
        shoal_status status = search(x, v);
        if (status != SHOAL_OK)
            return status;
    }
    return SHOAL_OK;
}

int64_t shoal_matching_blossoms(const shoal_matching *x) { return x->n - x->n_spare; }

void shoal_matching_read(const shoal_matching *x, int32_t *mate, int64_t *dual, int32_t *up, int64_t *within)
{
    int32_t n = x->n, root = n + (int32_t)shoal_matching_blossoms(x), given = root - 1, top = 0;
    for (int32_t v = 0; v < n; v++)
        mate[v] = x->mate[v] < 0 ? -1 : other_end(x, x->mate[v], v), dual[v] = x->y[v];
    int32_t *number = x->mark; /* marks are of no use after the last search */
    within[root] = 0;
    for (int32_t b = n; b < 2 * n; b++)
        if (x->cycle[b].n && x->parent[b] < 0)
            x->stack[top++] = b;
    up[root] = root;
    while (top) { /* from the outermost inwards, with falling numbers */
        int32_t b = x->stack[--top];
        number[b] = given--;
        up[number[b]] = x->parent[b] < 0 ? root : number[x->parent[b]];
        within[number[b]] = x->z[b] + within[up[number[b]]];
        for (int32_t i = 0; i < x->cycle[b].n; i++)
            if (x->cycle[b].child[i] >= n)
                x->stack[top++] = x->cycle[b].child[i];
    }
    for (int32_t v = 0; v < n; v++)
        up[v] = x->parent[v] < 0 ? root : number[x->parent[v]], within[v] = within[up[v]];
}
