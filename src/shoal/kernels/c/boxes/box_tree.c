#include "box_tree.h"

#define LARGEST_TABLE 4000000 /* a column with at most so many leaf-node pairs gets a table of their prices */

/* The prices of lifting one leaf to each node: `path` are its ancestors, the root last. */
static void fill_row(const BoxTree *x, int32_t j, int32_t leaf, int32_t *path, double *row)
{
    const int32_t *parent = tree_of(&x->t, j);
    const double *price = prices_of(&x->t, j);
    int64_t depth = 0;
    for (int32_t up = leaf;; up = parent[up]) {
        path[depth++] = up;
        if (parent[up] == up)
            break;
    }
    int64_t next = depth - 1;
    for (int64_t v = n_nodes_of(&x->t, j) - 1; v >= 0; v--) { /* a parent is filled before its children */
        int is_above = next >= 0 && path[next] == v;
        row[v] = is_above ? price[v] : row[parent[v]];
        next -= is_above;
    }
    for (int64_t i = 0; i < depth; i++) /* inside an ancestor an equal value may be met */
        row[path[i]] = x->least[x->t.first[j] + leaf];
}

static void make_tables(BoxTree *x)
{
    int32_t *path = take(&x->bag, widest_tree(&x->t), sizeof *path);
    TAKE_ZEROS(&x->bag, x->lift, x->t.q);
    for (int32_t j = 0; j < x->t.q && !x->bag.failed; j++) {
        int64_t n_nodes = n_nodes_of(&x->t, j), n_leaves = n_leaves_met(&x->t, j);
        if (n_leaves * n_nodes > LARGEST_TABLE || n_leaves * n_nodes > 64 * (x->t.n + 64))
            continue;
        double *table = x->lift[j] = take(&x->bag, n_leaves * n_nodes, sizeof *table);
        for (int32_t leaf = 0; table && leaf < n_leaves; leaf++)
            fill_row(x, j, leaf, path, table + leaf * n_nodes);
    }
}

int64_t add_boxes(BoxTree *x, int64_t count)
{
    int64_t made = x->n_boxes, need = made + count, room = x->room;
    if (!grow(&x->box, &room, need, sizeof *x->box) || !grow(&x->closure, &x->room, need, sizeof *x->closure * (size_t)x->t.q))
        return -1;
    x->n_boxes = need;
    return made;
}

static void place_tuples(BoxTree *x, const Keyed *keyed)
{
    for (int64_t i = 0; i < x->t.n; i++) {
        x->at[i] = keyed[i].tuple;
        memcpy(x->placed + i * x->t.q, row_of(&x->t, keyed[i].tuple), sizeof(int32_t) * (size_t)x->t.q);
    }
}

void close_boxes(BoxTree *x)
{
    int32_t q = x->t.q;
    for (int64_t box = x->n_boxes - 1; box >= 0; box--) { /* children have larger numbers */
        const Box *v = x->box + box;
        int64_t count = v->n_children ? v->n_children : v->end - v->begin;
        const int32_t *part = v->n_children ? x->closure + (int64_t)v->child * q : x->placed + v->begin * q;
        int32_t *closure = x->closure + box * q;
        memcpy(closure, part, sizeof(int32_t) * (size_t)q);
        for (int64_t i = 1; i < count; i++)
            for (int32_t j = 0; j < q; j++)
                closure[j] = join_in(&x->t, j, closure[j], part[i * q + j]);
    }
}

shoal_status box_tree_new(BoxTree *x, const shoal_table *t, const double *least, Splitter split, void *about)
{
    *x = (BoxTree){.t = *t, .least = least};
    Bag own = {0};
    Keyed *keyed = take(&own, t->n, sizeof *keyed);
    TAKE(&x->bag, x->at, t->n), TAKE(&x->bag, x->placed, t->n * t->q);
    make_tables(x);
    int fine = !own.failed && !x->bag.failed && add_boxes(x, 1) == 0;
    for (int64_t i = 0; fine && i < t->n; i++)
        keyed[i].tuple = (int32_t)i;
    for (int32_t j = 0; fine && j < t->q; j++)
        x->closure[j] = root_of(t, j);
    if (fine)
        x->box[0] = (Box){0, t->n, 0, 0};
    for (int64_t box = 0; fine && box < x->n_boxes; box++)
        fine = split(x, about, keyed, box);
    if (fine)
        place_tuples(x, keyed);
    bag_end(&own, 0);
    return fine ? SHOAL_OK : SHOAL_NO_MEMORY;
}

void box_tree_free(BoxTree *x)
{
    free(x->box);
    free(x->closure);
    bag_end(&x->bag, 0);
}
