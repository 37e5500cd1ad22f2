// Package work holds what teams plan their work with: labels and milestones of groups and projects.
// Issues, notes and to-dos come here. Names are checked along the tree: a label or milestone of a
// group applies to everything below it, so that two of one name must not meet.
package work
