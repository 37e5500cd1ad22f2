// Package activity keeps what users did: pushes, changes of issues and milestones, notes, pages of
// wikis, snippets, projects that they created and memberships that began or ended (more §4).
//
// Events are written by listeners of other domains and kept for three years. Who may see one
// depends on what it is about, now and not when it happened, so each list checks it again
// ([Filter]).
package activity
