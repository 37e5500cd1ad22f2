// Package integration keeps the services that groups and projects are connected to, the alerts that
// monitoring tools send, and the keys of error tracking.
//
// A project or group that inherits an integration uses that of the nearest group above that has its
// own. A fingerprint has one open alert, however often it is reported. Keys of alerts are stored as
// digests, secrets of integrations are sealed. It raises no events and listens to none.
package integration
