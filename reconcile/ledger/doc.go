// Package ledger records which objects hew manages. It plays the part of Terraform's state, but
// holds far less: for each address the object's id, whether hew created it, and a digest of every
// value that was last applied. It holds no secret and no copy of the host.
//
// Open loads a Ledger from a Backend (a file, an HTTP server of Terraform states, or Postgres) and
// binds it to one host. A run changes it with Set, Remove and Move, and passes the Deltas that they
// return to Backend.Append.
//
// The main invariant: Append has made a change durable before it returns, and a backend never
// writes over what another run has written. It answers with a *StaleError instead. A ledger that is
// lost costs nothing on the host: the next run finds every object by its natural key and adopts it.
//
// # Decisions
//
//   - A ledger file is a journal of lines, so that an append costs one flush, and a crash can only
//     cut off the last line (line.go). Compact rewrites it.
//   - The two remote backends share one implementation over two stores (remote.go). Every flush
//     has a new serial there, so that of two runs with the same ledger the later writer is
//     refused, whether or not a lock held. Nothing waits in the run to be sent later: an object
//     that a killed run has created is a pending entry already, or is found by its key.
//   - Remote ledgers need HEW_LEDGER_KEY before anything else, because a key that is lost with the
//     run makes digests that no later run can compare.
//   - Locks of files belong to the open file and end with the process (disk_unix.go,
//     disk_windows.go). Libraries for locking open a file of their own by its name, which Compact
//     would rename away.
package ledger
