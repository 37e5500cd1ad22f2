// Package people has users, their access tokens, deploy tokens, and the custom attributes that
// administrators give to users, groups and projects. Rows of users are in tree.
//
// A token is stored as its digest; only the answer that creates it shows the token. A revoked token
// stays revoked, and a user who was removed is locked out at once and deleted by a job.
//
// Deploy tokens of groups and projects are here and not in package protect, because package auth
// reads them to identify callers, and no domain but this one lies below auth.
//
// Events: [Created], [Renamed] and [BeforeRemoval] of users, [EmailConfirmed], [KeyChanged], and
// [TokenRotated] and [TokenRevoked] of tokens of groups and projects, which belong to a bot that
// package group makes a member.
package people
