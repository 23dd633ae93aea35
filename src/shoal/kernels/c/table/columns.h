/* What a group shows in one column, as the search prices it.
 *
 * A column is one of five kinds. TABLED and CLIMBED are trees: the cell is a node, joined through a table (node, leaf) -> node where
 * that is small, else by climbing. The other three are free: an INTERVAL keeps its least and greatest leaf, a SUBSET of at most 64 leaves
 * a mask, a LONG subset the number of its leaves (its members are looked through for the rest). */
#ifndef SHOAL_COLUMNS_H
#define SHOAL_COLUMNS_H
#include <stdint.h>

typedef enum {
    SHOAL_CELL_TABLED,
    SHOAL_CELL_CLIMBED,
    SHOAL_CELL_INTERVAL,
    SHOAL_CELL_SUBSET,
    SHOAL_CELL_LONG
} shoal_cell;

/* What a free set costs, from its rows, its leaves or its width. */
typedef enum {
    SHOAL_FORMULA_BITS,
    SHOAL_FORMULA_ROWS_BITS,
    SHOAL_FORMULA_LOG_ROWS,
    SHOAL_FORMULA_LEAVES,
    SHOAL_FORMULA_WIDTH,
    SHOAL_FORMULA_SEVERAL,
    SHOAL_FORMULA_ROOT_ROWS
} shoal_formula;

typedef struct {
    int32_t kind;                /* a shoal_cell */
    int32_t formula;             /* of a free column: a shoal_formula */
    int32_t n_leaves;
    int32_t extra;               /* of a LONG subset: where its sums lie in a group's cells */
    double scale;
    const int32_t *parent;       /* of a tree */
    const double *price;
    const uint16_t *table;       /* node x leaf -> node, or NULL */
    const double *joined;        /* node x leaf -> what their join costs, or NULL */
    const double *table_price;   /* of each interval or mask, or NULL */
    const double *weight_before; /* rows of the leaves before each leaf */
    const double *spent_before;  /* the same for rows x log rows */
    const double *low;           /* where each leaf begins and ends, for the width; or NULL */
    const double *high;
} shoal_column;

typedef struct {
    int32_t n_columns;
    int32_t width; /* cells of a group: the columns, and two more for each LONG subset */
    const shoal_column *column;
} shoal_columns;
#endif
