package definition

import (
	"fmt"
	"slices"
	"strings"
)

// checkLogic is the last step of loading: what jobs say of each other. Its messages keep the case
// of names.
func (c *checker) checkLogic() {
	for _, j := range c.list {
		c.checkStage(j)
		c.checkDependencies(j)
		c.checkNeeds(j, j.needs)
		for _, r := range j.Rules {
			c.checkNeeds(j, r.needs)
		}
		c.checkOnStop(j)
		if len(c.errors) >= maxErrors {
			return
		}
	}
	if len(c.errors) > 0 {
		return
	}
	for _, j := range c.list {
		needs, total := c.config.resolve(j.needs)
		for _, instance := range c.config.instances[j.Base] {
			instance.Needs, instance.needTotal = needs, total
		}
		for i := range j.Rules { // which the instances share
			r := &j.Rules[i]
			r.Needs, r.needTotal = c.config.resolve(r.needs)
		}
	}
	if err := circle(c.config.Jobs); err != nil {
		c.errors = append(c.errors, err)
	}
	slices.SortStableFunc(c.config.Jobs, func(a, b *Job) int { return a.StageIndex - b.StageIndex })
}

// stageIndex returns -1 for a stage that does not exist.
func (c *checker) stageIndex(j *Job) int {
	if index, ok := c.stages[j.Stage]; ok {
		return index
	}
	return -1
}

func (c *checker) checkStage(j *Job) {
	if c.stageIndex(j) < 0 {
		c.fail(j.at, fmt.Sprintf("%s job: chosen stage %s does not exist; available stages are %s", j.Base, j.Stage,
			strings.Join(c.config.Stages, ", ")))
	}
}

// checkDependencies wants dependencies in the same or an earlier stage.
func (c *checker) checkDependencies(j *Job) {
	for _, name := range j.deps {
		instances := c.config.instancesOf(name)
		switch {
		case instances == nil:
			c.fail(j.at, fmt.Sprintf("%s job: undefined dependency: %s", j.Base, name))
		case c.stageIndex(instances[0]) > c.stageIndex(j):
			c.fail(j.at, fmt.Sprintf("%s job: dependency %s is not defined in current or prior stages", j.Base, name))
		}
	}
}

// checkNeeds wants needs in the same or an earlier stage, each once.
func (c *checker) checkNeeds(j *Job, needs []need) {
	seen, reported := map[string]bool{}, map[string]bool{}
	var duplicates []string
	for _, n := range needs {
		instances := c.config.instancesOf(n.job)
		keys := []string{n.job}
		if n.matrix != nil {
			keys = nil
			for _, combination := range n.matrix {
				keys = append(keys, n.job+": "+combination.String())
			}
		}
		for _, key := range keys {
			if n.matrix != nil && instances != nil && c.config.names[key] == nil {
				c.fail(n.at, fmt.Sprintf("%s job: undefined need: %s", j.Base, key))
			}
			if seen[key] && !reported[key] {
				reported[key], duplicates = true, append(duplicates, key)
			}
			seen[key] = true
		}
		switch {
		case instances == nil && !n.optional:
			c.fail(n.at, fmt.Sprintf("%s job: undefined need: %s", j.Base, n.job))
		case instances != nil && c.stageIndex(instances[0]) > c.stageIndex(j):
			c.fail(n.at, fmt.Sprintf("%s job: need %s is not defined in current or prior stages", j.Base, n.job))
		}
	}
	if duplicates != nil {
		c.fail(j.at, fmt.Sprintf("%s has the following needs duplicated: %s.", j.Base, strings.Join(duplicates, ", ")))
	}
}

// checkOnStop wants the job that stops an environment to be for that environment.
func (c *checker) checkOnStop(j *Job) {
	if j.Environment == nil || j.Environment.OnStop == "" {
		return
	}
	name := j.Environment.OnStop
	fail := func(what string) {
		c.fail(j.Environment.at, fmt.Sprintf("%s job: on_stop job %s %s", j.Base, name, what))
	}
	instances := c.config.instances[name]
	switch {
	case instances == nil:
		fail("is not defined")
	case instances[0].Environment == nil:
		fail("does not have environment defined")
	case instances[0].Environment.Name != j.Environment.Name:
		fail("have different environment name")
	case instances[0].Environment.Action != "stop":
		fail("needs to have action stop defined")
	}
}
