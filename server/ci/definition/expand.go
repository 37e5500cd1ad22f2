package definition

import (
	"fmt"
	"slices"

	"hew/server/ci/expression"
)

// expandJobs replaces parallel jobs by their instances, and puts all into the order of stages. Of
// two with one name the last counts, in the place of the first.
func (c *checker) expandJobs() {
	total := 0
	for _, j := range c.list {
		total += max(j.Total, 1)
	}
	if total > maxJobs {
		c.fail(nil, fmt.Sprintf("Pipeline has too many jobs! Requested %d, but the limit is %d.", total, maxJobs))
		return
	}
	byName := map[string]int{}
	var all []*Job
	c.config.instances = map[string][]*Job{}
	for _, j := range c.list {
		instances := j.instances()
		c.config.instances[j.Base] = instances
		for _, instance := range instances {
			if at, ok := byName[instance.Name]; ok {
				all[at] = instance
				continue
			}
			byName[instance.Name] = len(all)
			all = append(all, instance)
		}
	}
	c.config.Jobs, c.config.names = all, make(map[string]*Job, len(all))
	c.stages = make(map[string]int, len(c.config.Stages))
	for i, name := range c.config.Stages {
		c.stages[name] = i
	}
	for _, j := range all {
		j.StageIndex = c.stageIndex(j)
		c.config.names[j.Name] = j
	}
}

// instances returns the jobs that a job of the file is, which is itself if it is not parallel.
func (j *Job) instances() []*Job {
	if j.Total == 0 {
		return []*Job{j}
	}
	all := make([]*Job, j.Total)
	for i := range all {
		instance := *j
		instance.Index = i + 1
		if j.matrix == nil {
			instance.Name = fmt.Sprintf("%s %d/%d", j.Base, i+1, j.Total)
		} else {
			instance.Name = j.Base + ": " + j.matrix[i].String()
			instance.own = override(j.own, j.matrix[i])
		}
		instance.matrix = nil
		all[i] = &instance
	}
	return all
}

// override returns variables with the values of others, which come last if they are new.
func override(list, others []expression.Variable) []expression.Variable {
	list = slices.Clone(list)
	for _, other := range others {
		at := slices.IndexFunc(list, func(v expression.Variable) bool { return v.Key == other.Key })
		if at < 0 {
			list = append(list, other)
		} else {
			list[at] = other
		}
	}
	return list
}

// instancesOf returns the jobs that a name in needs or dependencies stands for, nil if
// there is none: the instances of a job of the file, or one job.
func (c *Config) instancesOf(name string) []*Job {
	if instances, ok := c.instances[name]; ok {
		return instances
	}
	if j, ok := c.names[name]; ok {
		return []*Job{j}
	}
	return nil
}

// resolve returns the needs of jobs by their names after expansion. It stops one past the limit,
// which Select reports with the number of all.
func (c *Config) resolve(needs []need) (list []Need, total int) {
	if needs == nil {
		return nil, 0
	}
	list = []Need{}
	for _, n := range needs {
		instances := c.instancesOf(n.job)
		for _, combination := range n.matrix {
			name := n.job + ": " + combination.String()
			if j, ok := c.names[name]; ok {
				total++
				list = appendNeed(list, j, n)
			}
		}
		if n.matrix == nil {
			total += len(instances)
			for _, j := range instances {
				list = appendNeed(list, j, n)
			}
		}
	}
	return list, total
}

func appendNeed(list []Need, j *Job, n need) []Need {
	if len(list) > maxNeeds {
		return list
	}
	return append(list, Need{Job: j.Name, Artifacts: n.artifacts, Optional: n.optional})
}
