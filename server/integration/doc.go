// Package integration keeps the services that groups and projects are connected to, and the alerts
// that monitoring tools send.
//
// A project or group that inherits an integration uses that of the nearest group above that has its
// own. A fingerprint has one open alert, however often it is reported. Keys of alerts are stored as
// digests, secrets of integrations are sealed.
//
// It listens to the events of projects that hooks can get, and has the active integrations of the
// project act on them: Raise enqueues a job for each. Package send makes its requests, and a Sender
// sends, repeats and records them. A kind of event that hooks get needs nothing more here than a
// message in package send.
package integration
