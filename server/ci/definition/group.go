package definition

import "hew/schema/pattern"

// instanceSuffix is what the name of a parallel job has after that of its group.
var instanceSuffix = pattern.Lazy(`(?:[\s:/\\]*(?:\d+[\s:/\\]+\d+|\[.*?\]))\s*\z`)

// Group returns the name that the instances of a job share on pages and in reports: without " 1/3"
// or ": [linux, arm64]" at the end, up to three times.
func (j *Job) Group() string {
	name := j.Name
	for range 3 {
		at := instanceSuffix().FindStringIndex(name)
		if at == nil || at[0] == 0 {
			break
		}
		name = name[:at[0]]
	}
	return name
}
