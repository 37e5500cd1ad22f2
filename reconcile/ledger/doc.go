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
package ledger
