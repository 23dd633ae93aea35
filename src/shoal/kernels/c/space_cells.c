/* Cells of at least r rows with a small sum of size times radius: a greedy cover along prices, and local search. */
#include "space_cells.h"
#include "near.inc"

/* ---- greedy ------------------------------------------------------------------------------------------------------------- */

typedef struct {
    double worth;
    int32_t v;
} bid;

static inline int above(const bid *a, const bid *b)
{
    return a->worth > b->worth || (a->worth == b->worth && a->v < b->v);
}

static void sink_bid(bid *heap, int64_t n, int64_t i)
{
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && above(heap + child + 1, heap + child))
            child++;
        if (!above(heap + child, heap + i))
            return;
        bid x = heap[i];
        heap[i] = heap[child];
        heap[child] = x;
        i = child;
    }
}

static int by_distance(const void *a, const void *b)
{
    const near_one *x = a, *y = b;
    return farther(x, y) - farther(y, x);
}

/* The prices of the r nearest rows left around v over what their cell would cost. */
static double worth_of(const shoal_space *s, const int64_t *w, const int64_t *nw, const double *y, double setup, int64_t r, int32_t v,
                       near_one *heap, int64_t *n)
{
    *n = nearest_of(s, w, nw, v, r, 0, heap);
    if (*n <= 0)
        return -1;
    qsort(heap, (size_t)*n, sizeof *heap, by_distance);
    double sum = 0;
    int64_t left = r;
    for (int64_t i = 0; i < *n; i++) {
        int64_t rows = heap[i].w < left ? heap[i].w : left;
        sum += y[heap[i].at] * (double)rows;
        left -= rows;
    }
    double cost = (double)r * heap[*n - 1].d + setup;
    return cost > 0 ? sum / cost : INFINITY;
}

/* Take the r nearest rows left around the centre where their prices go furthest, again and again, while they are worth `least`. */
int64_t shoal_space_cells_greedy(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *y, const double *setup,
                           int64_t r, double least, int32_t *centre, int64_t *first, shoal_list *taken)
{
    int64_t room = r < s->n ? r : s->n, n_cells = -1, n, n_heap = 0;
    near_one *near = malloc((size_t)(room + 2) * sizeof *near);
    bid *heap = malloc((size_t)s->n * sizeof *heap);
    if (!near || !heap)
        goto done;
    for (int32_t v = 0; v < s->n; v++) {
        bid one = {worth_of(s, w, nw, y, setup[v], r, v, near, &n), v};
        if (one.worth >= least)
            heap[n_heap++] = one;
    }
    for (int64_t i = n_heap / 2; i >= 0; i--)
        sink_bid(heap, n_heap, i);
    int64_t cells = 0;
    first[0] = 0;
    while (n_heap && nw[0] >= r) {
        double worth = worth_of(s, w, nw, y, setup[heap[0].v], r, heap[0].v, near, &n);
        if (worth < least) {
            heap[0] = heap[--n_heap];
            sink_bid(heap, n_heap, 0);
            continue;
        }
        int32_t v = heap[0].v;
        heap[0].worth = worth;
        sink_bid(heap, n_heap, 0);
        if (heap[0].v != v)
            continue;
        if (!grow(taken, n))
            goto done;
        int64_t left = r;
        for (int64_t i = 0; i < n; i++) {
            int32_t p = near[i].at;
            int64_t rows = w[p] < left ? w[p] : left;
            left -= rows;
            taken->at[taken->n] = p;
            taken->d[taken->n++] = (double)rows;
            w[p] -= rows;
            for (int32_t node = leaf_of[p]; node >= 0; node = s->up[node])
                nw[node] -= rows;
        }
        centre[cells++] = v;
        first[cells] = taken->n;
    }
    n_cells = cells;
done:
    free(near);
    free(heap);
    return n_cells;
}

/* ---- local search ------------------------------------------------------------------------------------------------------- */

#define UNION 320 /* rows of cells thrown together */
#define BESIDE 10 /* cells looked at beside one */

typedef struct {
    int32_t *rows;
    int32_t n, room, centre;
    double radius;
} cell;

typedef struct {
    const shoal_space *s;
    const int32_t *of_row, *near;
    const int64_t *first_row, *rows;
    const double *setup;
    double *to_centre; /* of each row */
    int32_t *label;
    cell *cells;
    int32_t n_cells, most_cells, many;
    int64_t r, outside_room;
    int32_t *stamp; /* per cell */
    int32_t now;
    int failed;
    near_one *sorted; /* room for all rows */
    int32_t *goes;    /* room for all rows */
} state;

static inline double cost_of(const state *z, const cell *a)
{
    return a->n ? z->setup[a->centre] + (double)a->n * a->radius : 0;
}

static void put(state *z, int32_t c, int32_t row)
{
    cell *a = z->cells + c;
    if (a->n == a->room) {
        int32_t room = a->room ? 2 * a->room : 16;
        int32_t *rows = realloc(a->rows, (size_t)room * sizeof *rows);
        if (!rows) {
            z->failed = 1;
            return;
        }
        a->rows = rows;
        a->room = room;
    }
    a->rows[a->n++] = row;
    z->label[row] = c;
    double d = distance(z->s, a->centre, z->of_row[row], INFINITY);
    z->to_centre[row] = d;
    if (d > a->radius)
        a->radius = d;
}

/* Cells that hold a neighbour of point p, without `but`; each once. */
static int beside(state *z, int32_t p, int32_t but, int32_t *out, int most)
{
    int n = 0;
    z->now++;
    if (but >= 0)
        z->stamp[but] = z->now;
    for (int32_t j = 0; j < z->many && n < most; j++) {
        int32_t q = z->near[(int64_t)p * z->many + j];
        if (q < 0)
            break;
        int64_t to = z->first_row[q + 1];
        if (to > z->first_row[q] + 4)
            to = z->first_row[q] + 4;
        for (int64_t e = z->first_row[q]; e < to && n < most; e++) {
            int32_t c = z->label[z->rows[e]];
            if (c < 0 || z->stamp[c] == z->now)
                continue;
            z->stamp[c] = z->now;
            out[n++] = c;
        }
    }
    return n;
}

/* The same cell around its best member, tried from the old centre outwards. */
static int recentre_cell(state *z, int32_t c)
{
    cell *a = z->cells + c;
    if (a->n == 0 || a->radius == 0)
        return 0;
    double before = cost_of(z, a);
    int32_t old = a->centre, best_at = a->centre;
    double best = before, best_radius = a->radius;
    for (int32_t i = 0; i < a->n; i++) {
        z->sorted[i].d = z->to_centre[a->rows[i]];
        z->sorted[i].at = z->of_row[a->rows[i]];
    }
    qsort(z->sorted, (size_t)a->n, sizeof *z->sorted, by_distance);
    int32_t last = old;
    for (int32_t i = 0; i < a->n && i < 200; i++) {
        int32_t v = z->sorted[i].at;
        if (v == old || v == last)
            continue;
        last = v;
        double limit = (best - z->setup[v]) / (double)a->n, reach = 0;
        int32_t j = a->n - 1;
        for (; j >= 0 && limit > 0; j--) {
            double d = distance(z->s, v, z->sorted[j].at, limit);
            if (d >= limit)
                break;
            if (d > reach)
                reach = d;
        }
        if (j >= 0)
            continue;
        best = z->setup[v] + (double)a->n * reach;
        best_radius = reach;
        best_at = v;
    }
    if (best_at == old || best >= before * (1 - 1e-12))
        return 0;
    a->centre = best_at;
    a->radius = best_radius;
    for (int32_t i = 0; i < a->n; i++)
        z->to_centre[a->rows[i]] = distance(z->s, best_at, z->of_row[a->rows[i]], INFINITY);
    return 1;
}

typedef struct {
    int32_t c, n;
    double radius;
} shadow;

static shadow *shadow_of(const state *z, shadow *all, int *n, int32_t c)
{
    for (int i = 0; i < *n; i++)
        if (all[i].c == c)
            return all + i;
    shadow one = {c, z->cells[c].n, z->cells[c].radius};
    all[*n] = one;
    return all + (*n)++;
}

/* Send the farthest rows of a cell elsewhere, as many as pay off: down to r rows, or all of them. */
static int shrink(state *z, int32_t c)
{
    cell *a = z->cells + c;
    if (a->n == 0)
        return 0;
    double before = cost_of(z, a), paid = 0, best_gain = before * 1e-12;
    int32_t most = a->n, best = 0;
    int64_t outside = z->outside_room;
    shadow shadows[256];
    int n_shadows = 0;
    for (int32_t i = 0; i < a->n; i++) {
        z->sorted[i].d = -z->to_centre[a->rows[i]];
        z->sorted[i].at = a->rows[i];
    }
    qsort(z->sorted, (size_t)a->n, sizeof *z->sorted, by_distance);
    for (int32_t i = 0; i < most && paid < before && n_shadows < 200; i++) {
        int32_t row = z->sorted[i].at, p = z->of_row[row], found[24], to = -2;
        double cheapest = INFINITY;
        if (outside > 0) {
            cheapest = 0;
            to = -1;
        } else {
            int n = beside(z, p, c, found, 24);
            for (int j = 0; j < n; j++) {
                shadow *b = shadow_of(z, shadows, &n_shadows, found[j]);
                double far = (double)b->n * b->radius, limit = cheapest < INFINITY ? (cheapest + far) / (b->n + 1.0) : INFINITY;
                if (n_shadows >= 250)
                    break;
                if (b->radius >= limit)
                    continue;
                double d = distance(z->s, z->cells[found[j]].centre, p, limit);
                double more = (b->n + 1.0) * (d > b->radius ? d : b->radius) - far;
                if (more < cheapest) {
                    cheapest = more;
                    to = found[j];
                }
            }
        }
        if (to == -2)
            break;
        paid += cheapest;
        z->goes[i] = to;
        if (to == -1) {
            outside--;
        } else {
            shadow *b = shadow_of(z, shadows, &n_shadows, to);
            double d = distance(z->s, z->cells[to].centre, p, INFINITY);
            b->n++;
            if (d > b->radius)
                b->radius = d;
        }
        int32_t left = a->n - i - 1;
        if (left != 0 && (left < z->r || z->sorted[i + 1].d == z->sorted[i].d))
            continue;
        double after = left ? z->setup[a->centre] + (double)left * -z->sorted[i + 1].d : 0;
        if (before - after - paid > best_gain) {
            best_gain = before - after - paid;
            best = i + 1;
        }
    }
    if (!best)
        return 0;
    for (int32_t i = 0; i < best; i++) {
        int32_t row = z->sorted[i].at;
        if (z->goes[i] == -1) {
            z->label[row] = -1;
            z->outside_room--;
        } else {
            put(z, z->goes[i], row);
        }
    }
    int32_t kept = 0;
    a = z->cells + c;
    a->radius = 0;
    for (int32_t i = 0; i < a->n; i++)
        if (z->label[a->rows[i]] == c) {
            a->rows[kept++] = a->rows[i];
            if (z->to_centre[a->rows[kept - 1]] > a->radius)
                a->radius = z->to_centre[a->rows[kept - 1]];
        }
    a->n = kept;
    for (int32_t i = 0; i < best; i++)
        if (z->goes[i] >= 0)
            recentre_cell(z, z->goes[i]);
    return 1;
}

typedef struct {
    int32_t n, rows[UNION], point[UNION], cell_of[UNION], centre[UNION];
    double d[UNION][UNION], radius[UNION];
    int32_t n_cells;
    double cost;
} cut;

static double kth(double *x, int32_t n, int32_t k)
{
    int32_t from = 0, to = n - 1;
    while (from < to) {
        double pivot = x[from + (to - from) / 2];
        int32_t i = from, j = to;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j) {
                double y = x[i];
                x[i++] = x[j];
                x[j--] = y;
            }
        }
        if (k <= j)
            to = j;
        else if (k >= i)
            from = i;
        else
            break;
    }
    return x[k];
}

/* Cut the union anew: the row farthest from `start` first, with the centre that gathers r rows and it most narrowly. */
static void cut_from(const state *z, cut *u, int32_t start, int32_t *cell_of, int32_t *centre, double *radius, int32_t *n_cells, double *cost)
{
    int32_t left = u->n, cells = 0, from = start, r = (int32_t)z->r;
    double x[UNION];
    *cost = 0;
    for (int32_t i = 0; i < u->n; i++)
        cell_of[i] = -1;
    while (left > 0) {
        int whole = left < 2 * r;
        int32_t far = -1, best = -1;
        for (int32_t i = 0; i < u->n; i++)
            if (cell_of[i] < 0 && (far < 0 || u->d[from][i] > u->d[from][far]))
                far = i;
        double least = INFINITY;
        for (int32_t v = 0; v < u->n; v++) {
            double reach = u->d[v][far];
            if (reach >= least)
                continue;
            int32_t n = 0;
            for (int32_t i = 0; i < u->n; i++)
                if (cell_of[i] < 0)
                    x[n++] = u->d[v][i];
            double need = kth(x, n, whole ? n - 1 : r - 1);
            if (need > reach)
                reach = need;
            if (reach < least) {
                least = reach;
                best = v;
            }
        }
        int32_t size = 0;
        cell_of[far] = cells;
        size++;
        for (int turn = 0; turn < 2; turn++) /* first those strictly inside, then those on the rim */
            for (int32_t i = 0; i < u->n && (whole || size < r); i++)
                if (cell_of[i] < 0 && (turn ? u->d[best][i] <= least : u->d[best][i] < least)) {
                    cell_of[i] = cells;
                    size++;
                }
        centre[cells] = u->point[best];
        radius[cells] = 0;
        for (int32_t i = 0; i < u->n; i++)
            if (cell_of[i] == cells && u->d[best][i] > radius[cells])
                radius[cells] = u->d[best][i];
        *cost += z->setup[centre[cells]] + size * radius[cells];
        left -= size;
        from = best;
        cells++;
    }
    *n_cells = cells;
}

/* Throw cells together and cut them anew, if that costs less. */
static int recut(state *z, const int32_t *which, int n_which, cut *u)
{
    double before = 0;
    int32_t total = 0;
    for (int i = 0; i < n_which; i++) {
        before += cost_of(z, z->cells + which[i]);
        total += z->cells[which[i]].n;
    }
    if (total > UNION || before <= 0 || total < z->r)
        return 0;
    u->n = 0;
    for (int i = 0; i < n_which; i++)
        for (int32_t j = 0; j < z->cells[which[i]].n; j++) {
            u->rows[u->n] = z->cells[which[i]].rows[j];
            u->point[u->n] = z->of_row[u->rows[u->n]];
            u->n++;
        }
    for (int32_t i = 0; i < u->n; i++)
        for (int32_t j = 0; j <= i; j++)
            u->d[i][j] = u->d[j][i] = i == j ? 0 : distance(z->s, u->point[i], u->point[j], INFINITY);
    int32_t cell_of[UNION], centre[UNION], n_cells, best = 0;
    double radius[UNION], cost, least = before * (1 - 1e-9);
    int32_t starts[4] = {0, u->n - 1, u->n / 2, 0};
    for (int32_t i = 0; i < u->n; i++) /* and from the row farthest from the first */
        if (u->d[0][i] > u->d[0][starts[3]])
            starts[3] = i;
    for (int turn = 0; turn < 4; turn++) {
        cut_from(z, u, starts[turn], cell_of, centre, radius, &n_cells, &cost);
        if (cost < least) {
            least = cost;
            best = 1;
            u->n_cells = n_cells;
            memcpy(u->cell_of, cell_of, sizeof cell_of);
            memcpy(u->centre, centre, sizeof centre);
        }
    }
    if (!best)
        return 0;
    int32_t number[UNION];
    for (int32_t i = 0; i < n_which; i++)
        z->cells[which[i]].n = 0;
    for (int32_t i = 0; i < u->n_cells; i++) {
        if (i < n_which)
            number[i] = which[i];
        else if (z->n_cells < z->most_cells)
            number[i] = z->n_cells++;
        else
            number[i] = -1;
        if (number[i] < 0) { /* no number left: look for an empty cell */
            for (int32_t c = 0; c < z->n_cells; c++) {
                int used = z->cells[c].n > 0;
                for (int32_t j = 0; j < i && !used; j++)
                    used = number[j] == c;
                if (!used) {
                    number[i] = c;
                    break;
                }
            }
        }
        z->cells[number[i]].n = 0;
        z->cells[number[i]].centre = u->centre[i];
        z->cells[number[i]].radius = 0;
    }
    for (int32_t i = 0; i < u->n; i++)
        put(z, number[u->cell_of[i]], u->rows[i]);
    for (int32_t i = 0; i < u->n_cells; i++)
        recentre_cell(z, number[i]);
    return 1;
}

/* Cells beside a cell, those with most contacts first. */
static int neighbours(state *z, int32_t c, int32_t *out)
{
    int32_t found[64], count[64], some[24];
    int n = 0;
    const cell *a = z->cells + c;
    int32_t step = a->n > 40 ? a->n / 40 : 1;
    for (int32_t i = 0; i < a->n; i += step) {
        int m = beside(z, z->of_row[a->rows[i]], c, some, 24);
        for (int j = 0; j < m; j++) {
            int k = 0;
            while (k < n && found[k] != some[j])
                k++;
            if (k < n) {
                count[k]++;
            } else if (n < 64) {
                found[n] = some[j];
                count[n++] = 1;
            }
        }
    }
    int kept = 0;
    while (kept < BESIDE && kept < n) {
        int best = kept;
        for (int k = kept + 1; k < n; k++)
            if (count[k] > count[best])
                best = k;
        int32_t f = found[kept], m = count[kept];
        found[kept] = found[best];
        count[kept] = count[best];
        found[best] = f;
        count[best] = m;
        out[kept] = found[kept];
        kept++;
    }
    return kept;
}

static int improve_cell(state *z, int32_t c, cut *u)
{
    int better = recentre_cell(z, c) | shrink(z, c);
    if (!z->cells[c].n)
        return better;
    int32_t near[BESIDE];
    if (z->cells[c].n >= 2 * z->r)
        better |= recut(z, &c, 1, u);
    int n = neighbours(z, c, near);
    for (int i = 0; i < n && !z->failed; i++) {
        int32_t pair[2] = {c, near[i]};
        if (z->cells[c].n && z->cells[near[i]].n && recut(z, pair, 2, u))
            better = 1;
    }
    for (int i = 0; i + 1 < n && i < 4 && !z->failed; i++) {
        int32_t triple[3] = {c, near[i], near[i + 1]};
        if (z->cells[c].n && z->cells[near[i]].n && z->cells[near[i + 1]].n && recut(z, triple, 3, u))
            better = 1;
    }
    return better;
}

/* label and centre are changed in place; cells may become empty or new ones appear, up to most_cells. */
int32_t shoal_space_cells_improve(const shoal_space *s, const int32_t *of_row, int64_t n_rows, const int32_t *near, int32_t many,
                            const int64_t *first_row, const int64_t *rows, const double *setup, int64_t r, int64_t room_outside,
                            int32_t rounds, int32_t *label, int32_t *centre, int32_t n_cells, int32_t most_cells)
{
    state z = {0};
    z.s = s;
    z.of_row = of_row;
    z.near = near;
    z.many = many;
    z.first_row = first_row;
    z.rows = rows;
    z.setup = setup;
    z.label = label;
    z.n_cells = n_cells;
    z.most_cells = most_cells;
    z.r = r;
    z.outside_room = room_outside;
    z.cells = calloc((size_t)most_cells, sizeof *z.cells);
    z.stamp = calloc((size_t)most_cells, sizeof *z.stamp);
    z.to_centre = malloc((size_t)(n_rows + 1) * sizeof *z.to_centre);
    z.sorted = malloc((size_t)(n_rows + 1) * sizeof *z.sorted);
    z.goes = malloc((size_t)(n_rows + 1) * sizeof *z.goes);
    cut *u = malloc(sizeof *u);
    uint8_t *again = malloc((size_t)most_cells);
    z.failed = !z.cells || !z.stamp || !z.to_centre || !z.sorted || !z.goes || !u || !again;
    for (int32_t c = 0; c < n_cells && !z.failed; c++)
        z.cells[c].centre = centre[c];
    for (int64_t i = 0; i < n_rows && !z.failed; i++)
        if (label[i] >= 0)
            put(&z, label[i], (int32_t)i);
    if (!z.failed)
        memset(again, 1, (size_t)most_cells);
    for (int32_t round = 0; round < rounds && !z.failed; round++) {
        int any = 0;
        for (int32_t c = 0; c < z.n_cells && !z.failed; c++) {
            if (!z.cells[c].n || !again[c])
                continue;
            again[c] = (uint8_t)improve_cell(&z, c, u);
            any |= again[c];
        }
        if (!any)
            break;
        if (round % 3 == 2)
            memset(again, 1, (size_t)most_cells);
    }
    for (int32_t c = 0; z.cells && c < z.n_cells; c++)
        centre[c] = z.cells[c].centre;
    int32_t answer = z.failed ? -1 : z.n_cells;
    for (int32_t c = 0; z.cells && c < most_cells; c++)
        free(z.cells[c].rows);
    free(z.cells);
    free(z.stamp);
    free(z.to_centre);
    free(z.sorted);
    free(z.goes);
    free(u);
    free(again);
    return answer;
}
