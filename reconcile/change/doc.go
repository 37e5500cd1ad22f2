// Package change turns a matched world into the changes of a plan: the action on each declared
// object, orphan and stray, and the facts that guards check. It does not access the host.
//
// Replacements make the conversion iterative. A replaced object has no id until apply, so
// everything computed from its id is evaluated again and may be replaced in turn. The caller
// repeats DeclaredChanges until nothing changes, then calls Plan.
//
// Files: builder.go (one declared object), replacement.go (replacements, triggers and
// create_before_destroy), deletion.go (orphans and strays), undeclared.go (undeclared objects
// beside managed ones), request.go (users who have requested access), name.go (names that another
// object keeps), name_ancestry.go (also in groups above and below), cycle.go (changes that wait for
// each other), duplicate.go (names declared twice), facts.go (what guards check, and blocked
// addresses). Package match defines the terms.
package change
