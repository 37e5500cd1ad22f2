// Package project has projects, their stars, and the topics that projects are found by. Rows of
// projects are in tree, members and shares in package group.
//
// A project is in a group or in a personal namespace. It is never more visible than its group, and
// a path that it gives up redirects to the new one. Topics belong to projects by name: a name that
// is new creates the topic, and renaming a topic renames it in its projects.
//
// Events: [Created], [Changed] and [BeforeRemoval].
package project
