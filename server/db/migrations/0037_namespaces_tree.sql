-- In the order of traversal_ids all namespaces below one follow it. Counts of what a user may see walk these ranges.
create index namespaces_tree on namespaces (traversal_ids) include (id, kind);
