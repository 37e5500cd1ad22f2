// Package hook stores webhooks, sends them events, and records the answers of their receivers.
//
// An event enqueues its deliveries in its own transaction, so an event that is rolled back is never
// delivered. The secrets of a hook are sealed, belong to one host, and appear neither in
// answers nor in records. Deliveries that follow from one another form a chain, which never reaches
// a hook twice.
//
// A system hook belongs to the instance. It gets what happens to all groups, projects, members,
// users and keys.
//
// It listens to the events of groups, members, projects, users, keys, pushes, releases, wikis,
// pipelines and deployments, and raises those of projects again, as what hooks are told of them.
package hook
