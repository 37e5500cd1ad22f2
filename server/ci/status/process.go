package status

import "slices"

// When says on which outcome of the jobs before it a job starts.
type When string

// The values of when.
const (
	OnSuccess When = "on_success"
	OnFailure When = "on_failure"
	Always    When = "always"
	ByHand    When = "manual"
	Delayed   When = "delayed"
)

// Job is a job of a pipeline: the newest one of its name.
type Job struct {
	Name         string
	Stage        int // its place among the stages
	Status       Status
	When         When
	AllowFailure bool
	// ByNeeds is whether the job waits for Needs, maybe none, instead of the stages before its own.
	ByNeeds bool
	Needs   []string // names of jobs; those that do not exist do not count
	// Exclusive is whether the job shares a resource group with others, and has to wait for it.
	Exclusive bool
}

// Of returns the state of a pipeline or a stage with these jobs; Created if there are none.
func Of(jobs []Job) Status {
	found := set{}
	for _, j := range jobs {
		found[counted(j.Status, j.AllowFailure)] = true
	}
	if len(found) == 0 {
		return Created
	}
	return found.composite()
}

// Process decides about all jobs that are created: it sets the states of those that have nothing to
// wait for any more, and returns their places in the slice. A job that starts is Pending,
// WaitingForResource, Manual or Scheduled.
func Process(jobs []Job) (changed []int) {
	byName := make(map[string]int, len(jobs))
	for i, j := range jobs {
		byName[j.Name] = i
	}
	order := make([]int, 0, len(jobs))
	for i, j := range jobs {
		if j.Status == Created {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return jobs[a].Stage - jobs[b].Stage })
	for again := true; again; {
		again = false
		before := earlierStages(jobs)
		order = slices.DeleteFunc(order, func(i int) bool {
			found := before[jobs[i].Stage]
			if jobs[i].ByNeeds {
				found = needs(jobs, byName, jobs[i])
			}
			next := decide(jobs[i], found)
			if next == Created {
				return false
			}
			jobs[i].Status = next
			changed = append(changed, i)
			again = true
			return true
		})
	}
	slices.Sort(changed)
	return changed
}

// earlierStages returns for each stage the states of the jobs in stages before it.
func earlierStages(jobs []Job) map[int]set {
	stages := map[int]set{}
	for _, j := range jobs {
		if stages[j.Stage] == nil {
			stages[j.Stage] = set{}
		}
		stages[j.Stage][counted(j.Status, j.AllowFailure)] = true
	}
	before := make(map[int]set, len(stages))
	var numbers []int
	for number := range stages {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	sum := set{}
	for _, number := range numbers {
		before[number] = set{}
		for status := range sum {
			before[number][status] = true
		}
		for status := range stages[number] {
			sum[status] = true
		}
	}
	return before
}

// needs returns the states of the jobs that a job needs.
func needs(jobs []Job, byName map[string]int, j Job) set {
	found := set{}
	for _, name := range j.Needs {
		if i, ok := byName[name]; ok {
			found[counted(jobs[i].Status, jobs[i].AllowFailure)] = true
		}
	}
	return found
}

// outcome returns what the jobs that a job waits for came to: one of complete, or another state
// while it has to wait.
func outcome(before set, byNeeds bool) Status {
	switch {
	case len(before) == 0:
		return Success
	case byNeeds && (before[Skipped] || before[ignored]):
		return Skipped
	case byNeeds && !before.only(Success, Failed, Canceled, warning):
		return Pending
	}
	return before.composite()
}

// accepted are the outcomes on which a job starts.
var accepted = map[When][]Status{
	OnSuccess: {Success, Skipped},
	ByHand:    {Success, Skipped},
	Delayed:   {Success, Skipped},
	OnFailure: {Failed},
	Always:    {Success, Failed, Skipped},
}

// decide returns the next state of a created job, which is Created while it has to wait.
func decide(j Job, before set) Status {
	found := outcome(before, j.ByNeeds)
	switch {
	case !found.Complete():
		return Created
	case !slices.Contains(accepted[j.When], found):
		return Skipped
	case j.ByNeeds && found == Skipped && j.When != Always:
		return Skipped
	}
	return Start(j)
}

// Start returns the state of a job that starts.
func Start(j Job) Status {
	switch {
	case j.When == ByHand:
		return Manual
	case j.When == Delayed:
		return Scheduled
	case j.Exclusive:
		return WaitingForResource
	}
	return Pending
}
