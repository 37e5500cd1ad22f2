// Package scope decides which callers a route admits and what they may act on.
//
// A guard, such as [ForGroup] or [ForAdmin], checks the scopes of the token, finds the group or
// project of the path and checks one ability. Its result, such as [InGroup], is the scope that the
// handler gets: the store, the caller and the object. [HeldByGroup] and [HeldByProject] open the
// same [Container], so that groups and projects share handlers. [As] and [Unless] derive guards.
//
// Callers who cannot see an object get 404. The table of abilities is in package policy; package
// auth finds out who calls.
package scope
