/* The cell that a group shows in one column, 64 bits of it, and what it costs. */
#ifndef SHOAL_CELLS_H
#define SHOAL_CELLS_H
#include "columns.h"
#include "trees.h"
#include <math.h>

typedef uint64_t cell;

static inline cell span(int32_t low, int32_t high) { return ((cell)(uint32_t)high << 32) | (uint32_t)low; }
static inline int32_t low_of(cell c) { return (int32_t)(uint32_t)c; }
static inline int32_t high_of(cell c) { return (int32_t)(c >> 32); }

static inline double weight_of(const shoal_column *c, int32_t leaf) { return c->weight_before[leaf + 1] - c->weight_before[leaf]; }
static inline double spent_of(const shoal_column *c, int32_t leaf) { return c->spent_before[leaf + 1] - c->spent_before[leaf]; }

/* The price of a free set from the count of its rows, the sum of count log count, the number of its leaves and its width. */
static inline double free_price(const shoal_column *c, double weight, double spent, int64_t leaves, double width)
{
    double bits;
    switch (c->formula) {
    case SHOAL_FORMULA_LOG_ROWS:
        return c->scale * log2(weight > 1 ? weight : 1);
    case SHOAL_FORMULA_LEAVES:
        return c->scale * (double)(leaves - 1);
    case SHOAL_FORMULA_WIDTH:
        return c->scale * width;
    case SHOAL_FORMULA_SEVERAL:
        return leaves > 1 ? c->scale : 0.0;
    case SHOAL_FORMULA_ROOT_ROWS:
        return c->scale * sqrt(weight > 0 ? weight : 0);
    default:
        if (leaves < 2)
            return 0.0;
        weight = weight > 1 ? weight : 1;
        bits = log2(weight) - spent / weight;
        bits = bits > 0 ? bits : 0.0;
        return c->scale * (c->formula == SHOAL_FORMULA_ROWS_BITS ? weight * bits : bits);
    }
}

static inline double interval_price(const shoal_column *c, int32_t low, int32_t high)
{
    if (c->table_price)
        return c->table_price[(int64_t)low * c->n_leaves + high];
    return free_price(c, c->weight_before[high + 1] - c->weight_before[low], c->spent_before[high + 1] - c->spent_before[low],
                      high - low + 1, c->high ? c->high[high] - c->low[low] : 0.0);
}

static inline double mask_price(const shoal_column *c, uint64_t mask)
{
    double weight = 0, spent = 0;
    int64_t leaves = 0;
    if (c->table_price)
        return c->table_price[mask];
    for (uint64_t rest = mask; rest; rest &= rest - 1, leaves++) {
        int v = __builtin_ctzll(rest);
        weight += weight_of(c, v);
        spent += spent_of(c, v);
    }
    return free_price(c, weight, spent, leaves, 0.0);
}

/* Everything below is for all kinds but LONG. */
static inline double cell_price(const shoal_column *c, cell v)
{
    switch (c->kind) {
    case SHOAL_CELL_INTERVAL:
        return interval_price(c, low_of(v), high_of(v));
    case SHOAL_CELL_SUBSET:
        return mask_price(c, v);
    default:
        return c->price[v];
    }
}

static inline cell leaf_cell(const shoal_column *c, int32_t leaf)
{
    return c->kind == SHOAL_CELL_INTERVAL ? span(leaf, leaf) : c->kind == SHOAL_CELL_SUBSET ? 1ULL << leaf : (cell)leaf;
}

static inline cell join_cells(const shoal_column *c, cell v, cell w)
{
    switch (c->kind) {
    case SHOAL_CELL_INTERVAL:
        return span(low_of(v) < low_of(w) ? low_of(v) : low_of(w), high_of(v) > high_of(w) ? high_of(v) : high_of(w));
    case SHOAL_CELL_SUBSET:
        return v | w;
    default:
        return (cell)join(c->parent, (int32_t)v, (int32_t)w);
    }
}

static inline cell join_leaf(const shoal_column *c, cell v, int32_t leaf)
{
    if (c->kind == SHOAL_CELL_TABLED)
        return (cell)c->table[(int64_t)v * c->n_leaves + leaf];
    return join_cells(c, v, leaf_cell(c, leaf));
}
#endif
