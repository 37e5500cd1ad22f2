// Package access tells who has access to what in the world as a plan leaves it,
// and which memberships a host makes along with what is created.
//
// Hosts leave out in silence whoever is named where only those with access count:
// an approver who is no member. So whatever is about to be written there is looked
// for first: what is live, plus what is declared, without what goes. What does not
// change is not looked for, so it costs no reading; and where something cannot be
// read the host has the last word.
package access
