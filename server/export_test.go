package server

// Pieces for tests.
var (
	ParseProxies = parseProxies
	ClientOf     = proxies.clientOf
)

// SealedColumns are the columns that a start without a key looks at.
var SealedColumns = sealedColumns
