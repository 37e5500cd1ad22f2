// Package access decides who has access to what in the planned world: the live objects, plus the
// declared ones, minus the deleted ones. It also knows the memberships that a host creates along
// with other objects.
//
// Hosts silently ignore users without access where access is required, for example approvers who
// are not members. So access is checked before such an attribute is written. Unchanged attributes
// are not checked and cost no reads. If something cannot be read, the host decides at apply.
//
// Files: checker.go (all changes of a plan), query.go (one user or group and one object),
// ability.go (what hosts require of an object that is referred to),
// creator.go (memberships of creators).
package access
