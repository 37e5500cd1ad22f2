// Package forge holds the acts that touch several stores, or a store and the job queue: to create, move and remove groups
// and projects. It knows neither requests nor answers; handlers and jobs call the same functions. Housekeeping is what jobs do
// with the things that acts leave behind, and a Courier takes to the receivers of hooks what acts tell of (hook_event.go).
//
// Who may do it is not asked here: that is the guard's. Whether it can be done is. Where that depends on what two people
// are to each other, as with members, no guard can know it: then who acts comes along.
package forge
