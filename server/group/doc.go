// Package group has groups and namespaces, and what groups and projects have in common: members,
// invitations, shares, access tokens, links to LDAP and SAML groups, and deletion in two steps.
//
// What a user may do to a member depends on both levels, which no guard knows: the methods of
// [Roster] check it. Nobody grants, changes or takes away a level above their own. A group always
// has an owner who can sign in, of its own or from above. Nobody has a lower level in a group than
// in its ancestors. Statements that add members take no lock on the group; those that change or
// remove one fail with a conflict if its level is no longer what the caller saw.
//
// Expired memberships, shares and invitations do not count from their day on, and [SweepJob]
// deletes their rows. Deleted groups and projects are marked, and removed days later by
// [RemovalJob].
//
// Events: [MembersChanged], [Created], [Moved], [AccessLost] and [BeforeRemoval]. It listens to
// events of people: users who confirm an address accept their invitations, and bots follow their
// tokens.
package group
