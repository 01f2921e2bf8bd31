/* SPDX-License-Identifier: BSD-3-Clause */
/* call_tree.h - SQL to draw the nodes of a call graph as a tree. */
#ifndef SIS_ANALYSIS_CALL_TREE_H
#define SIS_ANALYSIS_CALL_TREE_H

/* The beginning of a statement: placed(id, place) are the nodes of experiment ?1 in the order in
 * which a tree is drawn. ORDER BY in the recursion makes it depth first. */
#define CALL_TREE \
	"WITH RECURSIVE line(id, level) AS ( SELECT id, 0 FROM drg_node " \
	"WHERE experiment = ?1 AND parent IS NULL UNION ALL SELECT n.id, l.level + 1 FROM line l " \
	"JOIN drg_node n ON n.parent = l.id ORDER BY 2 DESC, 1), " \
	"placed AS (SELECT id, row_number() OVER () AS place FROM line) "
/* SQL: the name of a node, indented. */
#define CALL_TREE_NAME(depth, name) "printf('%*s', 2 * min(" depth ", 40), '') || " name

#endif
