// Package tree reads and writes the rows that most domains need: users, namespaces (groups and the
// personal namespaces of users) and projects, with their settings, paths, avatars and registration
// tokens.
//
// It is the kernel's part of these objects. Rules about who may create or change them are in the
// domains people, group and project.
//
//   - [GroupFor] and [ProjectFor] find an object by id or path, with the level of a user in it.
//   - [Holds], [Belongs] and [Granted] are the SQL for who has which level where. Every query that
//     depends on levels uses them.
//   - [Place], [Parent], [HoldGroup] and [HoldTree] lock the tree. They come before any other lock
//     of a transaction, which prevents deadlocks.
//   - [Claim], [Reroute] and [Relocate] keep paths unique and remember former ones.
package tree
