// Package tree has what all domains need: users, groups, projects, their tree of namespaces, their
// paths, and the grants that give users levels in them.
//
// GroupFor and ProjectFor find what a request names, with the caller's level in it. Place, Parent,
// HoldGroup, HoldTree, HoldProject and HoldUser lock what a change depends on. The SQL conditions
// LevelInSpace, Belongs, Holds, Mine and their like are the only ones that judge a user, so that no
// query forgets a source of grants.
//
// How groups, projects and users are made and edited by requests is in the domains group, project
// and people.
package tree
