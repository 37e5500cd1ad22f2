package forge

// StageTime is how long a stage may make no progress.
const StageTime = stageTime

// AfterStep returns the importer with a function that is called after each step, and can end an
// attempt.
func (i Importer) AfterStep(do func(stage string) error) Importer {
	i.afterStep = do
	return i
}
