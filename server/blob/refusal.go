package blob

import "hew/server/db"

// Refusals are the answers to the violated constraints of this package. No client can violate one:
// equal content becomes one blob, and the rest is computed here.
var Refusals = db.Refusals{
	"blobs_sha256_key":           db.Conflict("The content was stored by another request. Send it again."),
	"blobs_key_key":              db.Invalid("key", db.Taken),
	"blobs_sha256_check":         db.Invalid("sha256", "is invalid"),
	"blobs_size_check":           db.Invalid("size", "is invalid"),
	"blobs_checksums_check":      db.Invalid("checksums", "is invalid"),
	"blobs_backend_check":        db.Invalid("backend", "is invalid"),
	"blob_uploads_backend_check": db.Invalid("backend", "is invalid"),
}
