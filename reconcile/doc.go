// Package reconcile turns a configuration and a host into a plan, and a plan
// into requests. It knows hosts only through Provider and prints nothing:
// callers get values and events.
package reconcile
