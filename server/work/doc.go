// Package work holds what teams plan their work with: labels and milestones of groups and projects,
// issues of projects, epics and iterations of groups, and what quick actions and commits do to
// them. What a group has applies to everything below it, so names are checked along the tree, one
// transaction at a time for each name:
//
//   - A new label cannot have the name of another in its group or project or in a group above; nor
//     can a label of a project that is renamed. A group's label may be renamed like one of a group
//     above. Labels below a group are not looked at: they may have the name of a label that the
//     group gets later.
//   - Two milestones of one title are never in the same group or project, nor one above the other.
//
// Quick actions of texts on issues, epics and merge requests are run by [CommandRun]: tables of
// commands map each name to the right that it needs and to its function. Texts of issues, epics,
// notes and commits that mention an issue or epic leave a system note on it ([Listeners]); such
// notes are shown only to those who see what mentions it ([Viewer.SeesAbout]).
//
// The dates of epics follow from the milestones of their issues and from their children. Triggers
// in the database set them (see inherit_dates in the migrations), so that cascades set them too; no
// other code writes them.
package work
