// Package instance keeps what belongs to the whole server: application settings, appearance, plan
// limits and statistics. It also keeps the Terraform states of projects.
//
// A setting is stored only if it differs from its default or if it matters that somebody gave it;
// secrets are sealed. The serials of a state only grow, and nobody writes to a state that somebody
// else has locked. It raises no events and listens to none.
package instance
