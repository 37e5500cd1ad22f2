// Package scope decides who may call a route, and on what. A guard finds the caller and the group
// or project of the path, checks the ability that the route needs, and opens a scope: the value
// that the handler works with. A handler without a scope cannot be written, so no route lacks the
// check.
//
// Guards are made by ForAnyone, ForSigned, ForAdmin, ForGroup, ForProject, and by HeldByGroup and
// HeldByProject for what both can hold. As and Unless derive further guards from them.
//
// A guard reads before the transaction of the request begins, so that refusals cost no lock. A
// request that writes is checked a second time when it takes its first lock: the caller's level, an
// archive or a deletion may have changed in between.
//
// Which abilities a level has is in package policy; what tokens and sessions are, in package auth.
package scope
