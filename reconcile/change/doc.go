// Package change turns a matched world into the changes of a plan: what is to be
// done about each declared object, each orphan and each stray, and what guards look
// at beside that.
package change
