// Package todo keeps what users have to look at: they were assigned to something, mentioned in it,
// marked it for themselves, or can decide on a request for access (more §1).
//
// To-dos are made by listeners of the events of other domains, and only for users who can read what
// they are about. Access can end later, in many ways. So each list checks again what its user sees
// ([Filter]), and a job deletes to-dos whose users have not seen their target for an hour.
//
// A user's own acts on a target finish the user's to-dos of it; those of others leave them pending.
package todo
