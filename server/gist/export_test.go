package gist

// Insert stores an import without a job.
var Insert = insert
