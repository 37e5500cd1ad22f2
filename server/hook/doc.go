// Package hook keeps webhooks, tells them what happens, and records what their receivers answer.
//
// An event queues its deliveries in the transaction in which it happens, so what did not happen is
// never delivered. The secrets of a hook are sealed, belong to one host, and appear neither in
// answers nor in records. Deliveries that follow from one another form a chain, which never reaches
// a hook twice.
//
// It listens to the events of groups, members and projects, and raises none.
package hook
