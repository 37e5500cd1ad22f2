package server

// SealedColumns are the columns that a start without a key looks at.
var SealedColumns = sealedColumns
