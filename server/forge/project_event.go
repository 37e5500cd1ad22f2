package forge

import "hew/server/store"

// ProjectCreated is emitted when a project was created.
type ProjectCreated struct{ Project store.Project }
