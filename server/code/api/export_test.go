package api

// Guards of pushes for tests: those of the code of a project, and of a wiki.
var (
	PushGuard     = smartHTTP{}.guard(always(receivePack))
	PushWikiGuard = smartHTTP{}.wikiGuard(always(receivePack))
	FetchGuard    = smartHTTP{}.guard(always(uploadPack))
)
