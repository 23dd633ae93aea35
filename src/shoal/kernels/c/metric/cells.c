/* Local search over cells of at least r rows with a small sum of size times radius. */
#include "near.h"

#define UNION 320  /* rows of cells that are put together */
#define BESIDE 10  /* cells looked at beside one */
#define SHADOWS 250 /* cells that may change while one shrinks */

typedef struct {
    int32_t *rows;
    int64_t room;
    int32_t n, centre;
    double radius;
} Cell;

/* A cell as it would be after rows that go there. */
typedef struct {
    int32_t c, n;
    double radius;
} Shadow;

/* A way to cut a union of cells again. */
typedef struct {
    int32_t cell_of[UNION], centre[UNION];
    int32_t n_cells;
    double cost;
} Way;

/* Rows of some cells put together, with all their distances, and the ways to cut them. */
typedef struct {
    int32_t n, rows[UNION], point[UNION];
    double d[UNION][UNION];
    Way way, best;
} Pool;

typedef struct {
    const shoal_space *s;
    const shoal_improve_cells *ask;
    double *to_centre; /* of each row */
    Cell *cells;
    int32_t n_cells;
    int64_t outside_room;
    int32_t *stamp; /* per cell */
    int32_t now;
    int failed;
    Near *sorted;  /* room for all rows */
    int32_t *goes; /* room for all rows */
    Pool *pool;
    Shadow shadow[SHADOWS + 32];
    int n_shadows;
} State;

static inline int32_t point_of(const State *z, int32_t row) { return z->ask->of_row[row]; }

static inline double cost_of(const State *z, const Cell *a) { return a->n ? z->ask->setup[a->centre] + (double)a->n * a->radius : 0; }

static void put(State *z, int32_t c, int32_t row)
{
    Cell *a = z->cells + c;
    if (!grow(&a->rows, &a->room, a->n + 1, sizeof *a->rows)) {
        z->failed = 1;
        return;
    }
    a->rows[a->n++] = row;
    z->ask->label[row] = c;
    z->to_centre[row] = distance(z->s, a->centre, point_of(z, row), INFINITY);
    if (z->to_centre[row] > a->radius)
        a->radius = z->to_centre[row];
}

/* Cells that hold a neighbour of point p, without `but`; each once. */
static int beside(State *z, int32_t p, int32_t but, int32_t *out, int most)
{
    const shoal_improve_cells *a = z->ask;
    int n = 0;
    z->now++;
    if (but >= 0)
        z->stamp[but] = z->now;
    for (int32_t j = 0; j < a->many && n < most; j++) {
        int32_t q = a->near[(int64_t)p * a->many + j];
        if (q < 0)
            break;
        int64_t to = a->first_row[q + 1];
        if (to > a->first_row[q] + 4)
            to = a->first_row[q] + 4;
        for (int64_t e = a->first_row[q]; e < to && n < most; e++) {
            int32_t c = a->label[a->rows[e]];
            if (c < 0 || z->stamp[c] == z->now)
                continue;
            z->stamp[c] = z->now;
            out[n++] = c;
        }
    }
    return n;
}

/* ---- a better centre ---- */

/* How far the farthest of the sorted rows is from v, if that is below `limit`; else -1. */
static double reach_from(const State *z, int32_t v, int32_t n, double limit)
{
    double reach = 0;
    if (!(limit > 0))
        return -1;
    for (int32_t j = n - 1; j >= 0; j--) {
        double d = distance(z->s, v, z->sorted[j].at, limit);
        if (d >= limit)
            return -1;
        reach = d > reach ? d : reach;
    }
    return reach;
}

/* The same cell around its best member, tried from the old centre outwards. */
static int recentre_cell(State *z, int32_t c)
{
    Cell *a = z->cells + c;
    if (a->n == 0 || a->radius == 0)
        return 0;
    double before = cost_of(z, a), best = before, best_radius = a->radius;
    int32_t old = a->centre, best_at = old, last = old;
    for (int32_t i = 0; i < a->n; i++)
        z->sorted[i].d = z->to_centre[a->rows[i]], z->sorted[i].at = point_of(z, a->rows[i]);
    qsort(z->sorted, (size_t)a->n, sizeof *z->sorted, by_distance);
    for (int32_t i = 0; i < a->n && i < 200; i++) {
        int32_t v = z->sorted[i].at;
        if (v == old || v == last)
            continue;
        last = v;
        double reach = reach_from(z, v, a->n, (best - z->ask->setup[v]) / (double)a->n);
        if (reach < 0)
            continue;
        best = z->ask->setup[v] + (double)a->n * reach;
        best_radius = reach;
        best_at = v;
    }
    if (best_at == old || best >= before * (1 - 1e-12))
        return 0;
    a->centre = best_at;
    a->radius = best_radius;
    for (int32_t i = 0; i < a->n; i++)
        z->to_centre[a->rows[i]] = distance(z->s, best_at, point_of(z, a->rows[i]), INFINITY);
    return 1;
}

/* ---- sending rows elsewhere ---- */

static Shadow *shadow_of(State *z, int32_t c)
{
    for (int i = 0; i < z->n_shadows; i++)
        if (z->shadow[i].c == c)
            return z->shadow + i;
    z->shadow[z->n_shadows] = (Shadow){c, z->cells[c].n, z->cells[c].radius};
    return z->shadow + z->n_shadows++;
}

/* The cell beside point p that takes a row of it at the least cost; -2 for none. */
static int32_t cheapest_beside(State *z, int32_t p, int32_t c, double *cheapest)
{
    int32_t found[24], to = -2;
    int n = beside(z, p, c, found, 24);
    *cheapest = INFINITY;
    for (int j = 0; j < n; j++) {
        Shadow *b = shadow_of(z, found[j]);
        double far = (double)b->n * b->radius, limit = *cheapest < INFINITY ? (*cheapest + far) / (b->n + 1.0) : INFINITY;
        if (z->n_shadows >= SHADOWS)
            break;
        if (b->radius >= limit)
            continue;
        double d = distance(z->s, z->cells[found[j]].centre, p, limit);
        double more = (b->n + 1.0) * (d > b->radius ? d : b->radius) - far;
        if (more < *cheapest)
            *cheapest = more, to = found[j];
    }
    return to;
}

/* Where the i-th farthest row goes, and what that costs; 0 where it can go nowhere. */
static int send_row(State *z, int32_t i, int32_t c, int64_t *outside, double *paid)
{
    int32_t p = point_of(z, z->sorted[i].at), to = -1;
    double cost = 0;
    if (*outside > 0)
        --*outside;
    else
        to = cheapest_beside(z, p, c, &cost);
    if (to == -2)
        return 0;
    *paid += cost;
    z->goes[i] = to;
    if (to >= 0) {
        Shadow *b = shadow_of(z, to);
        double d = distance(z->s, z->cells[to].centre, p, INFINITY);
        b->n++;
        b->radius = d > b->radius ? d : b->radius;
    }
    return 1;
}

/* How many of the farthest rows of a cell are best sent elsewhere: down to r rows, or all of them; 0 for none. */
static int32_t best_to_send(State *z, const Cell *a, int32_t c)
{
    double before = cost_of(z, a), paid = 0, best_gain = before * 1e-12;
    int32_t best = 0;
    int64_t outside = z->outside_room;
    z->n_shadows = 0;
    for (int32_t i = 0; i < a->n && paid < before && z->n_shadows < 200; i++) {
        if (!send_row(z, i, c, &outside, &paid))
            break;
        int32_t left = a->n - i - 1;
        if (left != 0 && (left < z->ask->r || z->sorted[i + 1].d == z->sorted[i].d))
            continue;
        double after = left ? z->ask->setup[a->centre] + (double)left * -z->sorted[i + 1].d : 0;
        if (before - after - paid > best_gain)
            best_gain = before - after - paid, best = i + 1;
    }
    return best;
}

/* Keep the rows that still carry the cell's label. */
static void keep_rest(State *z, int32_t c)
{
    Cell *a = z->cells + c;
    int32_t kept = 0;
    a->radius = 0;
    for (int32_t i = 0; i < a->n; i++)
        if (z->ask->label[a->rows[i]] == c) {
            a->rows[kept++] = a->rows[i];
            if (z->to_centre[a->rows[i]] > a->radius)
                a->radius = z->to_centre[a->rows[i]];
        }
    a->n = kept;
}

/* Send the farthest rows of a cell elsewhere, as many as pay off. */
static int shrink(State *z, int32_t c)
{
    Cell *a = z->cells + c;
    for (int32_t i = 0; i < a->n; i++)
        z->sorted[i].d = -z->to_centre[a->rows[i]], z->sorted[i].at = a->rows[i];
    qsort(z->sorted, (size_t)a->n, sizeof *z->sorted, by_distance);
    int32_t best = best_to_send(z, a, c);
    for (int32_t i = 0; i < best; i++) {
        if (z->goes[i] >= 0) {
            put(z, z->goes[i], z->sorted[i].at);
        } else {
            z->ask->label[z->sorted[i].at] = -1;
            z->outside_room--;
        }
    }
    if (!best)
        return 0;
    keep_rest(z, c);
    for (int32_t i = 0; i < best; i++)
        if (z->goes[i] >= 0)
            recentre_cell(z, z->goes[i]);
    return 1;
}

/* ---- cutting cells again ---- */

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
                SWAP(double, x[i], x[j]);
                i++, j--;
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

static int32_t farthest_left(const Pool *u, const int32_t *cell_of, int32_t from)
{
    int32_t far = -1;
    for (int32_t i = 0; i < u->n; i++)
        if (cell_of[i] < 0 && (far < 0 || u->d[from][i] > u->d[from][far]))
            far = i;
    return far;
}

/* The centre that holds `many` of the rows left, and `far`, in the smallest radius, which is *least. */
static int32_t narrowest(const Pool *u, const int32_t *cell_of, int32_t far, int32_t many, double *least)
{
    double x[UNION];
    int32_t best = -1;
    *least = INFINITY;
    for (int32_t v = 0; v < u->n; v++) {
        double reach = u->d[v][far];
        if (reach >= *least)
            continue;
        int32_t n = 0;
        for (int32_t i = 0; i < u->n; i++)
            if (cell_of[i] < 0)
                x[n++] = u->d[v][i];
        double need = kth(x, n, many - 1);
        reach = need > reach ? need : reach;
        if (reach < *least)
            *least = reach, best = v;
    }
    return best;
}

/* Give `far` and the rows within `reach` of the centre to a cell, first those strictly inside, then those on the rim, up to `many`. */
static int32_t fill_cell(const Pool *u, Way *way, int32_t far, int32_t centre, double reach, int32_t many)
{
    int32_t size = 1;
    way->cell_of[far] = way->n_cells;
    for (int rim = 0; rim < 2; rim++)
        for (int32_t i = 0; i < u->n && size < many; i++)
            if (way->cell_of[i] < 0 && (rim ? u->d[centre][i] <= reach : u->d[centre][i] < reach))
                way->cell_of[i] = way->n_cells, size++;
    return size;
}

/* Cut the union again: the row farthest from `start` first, with the centre that gathers r rows and it most narrowly. */
static void cut_from(const State *z, Pool *u, int32_t start)
{
    Way *way = &u->way;
    int32_t left = u->n, from = start, r = (int32_t)z->ask->r;
    way->cost = 0;
    way->n_cells = 0;
    for (int32_t i = 0; i < u->n; i++)
        way->cell_of[i] = -1;
    while (left > 0) {
        double least, radius = 0;
        int32_t many = left < 2 * r ? left : r, far = farthest_left(u, way->cell_of, from);
        int32_t best = narrowest(u, way->cell_of, far, many, &least), size = fill_cell(u, way, far, best, least, many);
        for (int32_t i = 0; i < u->n; i++)
            if (way->cell_of[i] == way->n_cells && u->d[best][i] > radius)
                radius = u->d[best][i];
        way->centre[way->n_cells++] = u->point[best];
        way->cost += z->ask->setup[u->point[best]] + size * radius;
        left -= size;
        from = best;
    }
}

static void fill_pool(const State *z, Pool *u, const int32_t *which, int n_which)
{
    u->n = 0;
    for (int i = 0; i < n_which; i++)
        for (int32_t j = 0; j < z->cells[which[i]].n; j++)
            u->rows[u->n] = z->cells[which[i]].rows[j], u->point[u->n] = point_of(z, u->rows[u->n]), u->n++;
    for (int32_t i = 0; i < u->n; i++)
        for (int32_t j = 0; j <= i; j++)
            u->d[i][j] = u->d[j][i] = i == j ? 0 : distance(z->s, u->point[i], u->point[j], INFINITY);
}

/* The number of an empty cell that is not among the first i of `number`. */
static int32_t empty_cell(const State *z, const int32_t *number, int32_t i)
{
    for (int32_t c = 0;; c++) {
        int used = z->cells[c].n > 0;
        for (int32_t j = 0; j < i && !used; j++)
            used = number[j] == c;
        if (!used)
            return c;
    }
}

/* The best way takes the place of the cells. */
static void replace_cells(State *z, const Pool *u, const int32_t *which, int n_which)
{
    int32_t number[UNION];
    for (int i = 0; i < n_which; i++)
        z->cells[which[i]].n = 0;
    for (int32_t i = 0; i < u->best.n_cells; i++) {
        if (i < n_which)
            number[i] = which[i];
        else
            number[i] = z->n_cells < z->ask->most_cells ? z->n_cells++ : empty_cell(z, number, i);
        z->cells[number[i]].n = 0;
        z->cells[number[i]].centre = u->best.centre[i];
        z->cells[number[i]].radius = 0;
    }
    for (int32_t i = 0; i < u->n; i++)
        put(z, number[u->best.cell_of[i]], u->rows[i]);
    for (int32_t i = 0; i < u->best.n_cells; i++)
        recentre_cell(z, number[i]);
}

/* Put cells together and cut them again, if that costs less. */
static int recut(State *z, const int32_t *which, int n_which)
{
    Pool *u = z->pool;
    double before = 0;
    int32_t total = 0;
    for (int i = 0; i < n_which; i++)
        before += cost_of(z, z->cells + which[i]), total += z->cells[which[i]].n;
    if (total > UNION || before <= 0 || total < z->ask->r)
        return 0;
    fill_pool(z, u, which, n_which);
    int32_t starts[4] = {0, u->n - 1, u->n / 2, 0};
    for (int32_t i = 0; i < u->n; i++) /* and from the row farthest from the first */
        if (u->d[0][i] > u->d[0][starts[3]])
            starts[3] = i;
    int is_better = 0;
    u->best.cost = before * (1 - 1e-9);
    for (int turn = 0; turn < 4; turn++) {
        cut_from(z, u, starts[turn]);
        if (u->way.cost < u->best.cost)
            u->best = u->way, is_better = 1;
    }
    if (is_better)
        replace_cells(z, u, which, n_which);
    return is_better;
}

/* ---- rounds ---- */

/* Cells beside a cell, those with most contacts first. */
static int neighbours(State *z, int32_t c, int32_t *out)
{
    int32_t found[64], count[64], some[24];
    int n = 0;
    const Cell *a = z->cells + c;
    int32_t step = a->n > 40 ? a->n / 40 : 1;
    for (int32_t i = 0; i < a->n; i += step) {
        int m = beside(z, point_of(z, a->rows[i]), c, some, 24);
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
        SWAP(int32_t, found[kept], found[best]);
        SWAP(int32_t, count[kept], count[best]);
        out[kept] = found[kept], kept++;
    }
    return kept;
}

/* Whether all of these cells have rows, and cutting them again made them cheaper. */
static int recut_all(State *z, const int32_t *which, int n_which)
{
    for (int i = 0; i < n_which; i++)
        if (!z->cells[which[i]].n)
            return 0;
    return !z->failed && recut(z, which, n_which);
}

static int improve_cell(State *z, int32_t c)
{
    int better = recentre_cell(z, c) | shrink(z, c);
    if (!z->cells[c].n)
        return better;
    int32_t near[BESIDE];
    if (z->cells[c].n >= 2 * z->ask->r)
        better |= recut(z, &c, 1);
    int n = neighbours(z, c, near);
    for (int i = 0; i < n; i++)
        better |= recut_all(z, (int32_t[]){c, near[i]}, 2);
    for (int i = 0; i + 1 < n && i < 4; i++)
        better |= recut_all(z, (int32_t[]){c, near[i], near[i + 1]}, 3);
    return better;
}

static void run(State *z, uint8_t *again)
{
    for (int32_t round = 0; round < z->ask->rounds && !z->failed; round++) {
        int any = 0;
        if (round % 3 == 0)
            memset(again, 1, (size_t)z->ask->most_cells);
        for (int32_t c = 0; c < z->n_cells && !z->failed; c++) {
            if (!z->cells[c].n || !again[c])
                continue;
            again[c] = (uint8_t)improve_cell(z, c);
            any |= again[c];
        }
        if (!any)
            break;
    }
}

int64_t shoal_space_cells_improve(const shoal_space *s, const shoal_improve_cells *ask)
{
    Bag bag = {0};
    State z = {.s = s, .ask = ask, .n_cells = ask->n_cells, .outside_room = ask->room_outside};
    TAKE_ZEROS(&bag, z.cells, ask->most_cells), TAKE_ZEROS(&bag, z.stamp, ask->most_cells), TAKE(&bag, z.to_centre, ask->n_rows);
    TAKE(&bag, z.sorted, ask->n_rows), TAKE(&bag, z.goes, ask->n_rows), TAKE(&bag, z.pool, 0);
    uint8_t *again = take(&bag, ask->most_cells, 1);
    z.failed = bag.failed;
    for (int32_t c = 0; c < ask->n_cells && !z.failed; c++)
        z.cells[c].centre = ask->centre[c];
    for (int64_t i = 0; i < ask->n_rows && !z.failed; i++)
        if (ask->label[i] >= 0)
            put(&z, ask->label[i], (int32_t)i);
    if (!z.failed)
        run(&z, again);
    for (int32_t c = 0; z.cells && c < z.n_cells; c++)
        ask->centre[c] = z.cells[c].centre;
    for (int32_t c = 0; z.cells && c < ask->most_cells; c++)
        free(z.cells[c].rows);
    return bag_end(&bag, z.failed ? SHOAL_NO_MEMORY : z.n_cells);
}
