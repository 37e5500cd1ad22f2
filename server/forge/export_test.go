package forge

import (
	"context"

	"hew/server/db"
)

// StageTime is how long a stage may make no progress.
const StageTime = stageTime

// TurnTime is how long an attempt may last.
const TurnTime = turnTime

// StricterLevels returns levels of a ref as the one role of a host limits them.
var StricterLevels = stricterLevels

// AfterStep returns the importer with a function that is called after each step, and can end an
// attempt.
func (i Importer) AfterStep(do func(stage string) error) Importer {
	i.afterStep = do
	return i
}

// Resume asks for the imports that nobody works on.
func Resume(ctx context.Context, st *db.Store) error { return resume(ctx, st, resumeJob{}) }
