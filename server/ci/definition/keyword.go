package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
)

// keyword is a key of jobs.
type keyword struct {
	name  string
	kinds string // which jobs may have it: "build", "bridge" or both
	// location is how messages show it: as an entry of the job, or as one of its attributes.
	location location
	// read checks the value and stores it in the job.
	read func(j *Job, e entry)
	// inherit copies the value of default, for those that default may have.
	inherit func(to, from *Job)
}

type location int

const (
	asEntry location = iota
	asAttribute
)

// keywords are the keys of jobs (ci §1.5). Reading one sees what those before it have stored.
var keywords []keyword

func init() {
	const build, both = "build", "build bridge"
	keywords = []keyword{
		{"extends", both, asAttribute, ignore, nil},
		{"inherit", both, asEntry, readInherit, nil},
		{"stage", both, asEntry, readStage, nil},
		{"when", both, asAttribute, readWhen, nil},
		{"start_in", build, asAttribute, readStartIn, nil},
		{"allow_failure", both, asAttribute, readAllowFailure, nil},
		{"rules", both, asEntry, readRules, nil},
		{"only", both, asEntry, readOnly, nil},
		{"except", both, asEntry, readExcept, nil},
		{"variables", both, asEntry, readJobVariables, nil},
		{"needs", both, asEntry, readNeeds, nil},
		{"resource_group", both, asAttribute, func(j *Job, e entry) { j.ResourceGroup = e.text() }, nil},
		{"environment", both, asEntry, readEnvironment, nil},
		{"parallel", both, asEntry, readParallel, nil},
		{"trigger", "bridge", asEntry, readTrigger, nil},
		{"interruptible", both, asEntry, func(j *Job, e entry) { j.Interruptible = e.boolean() },
			func(to, from *Job) { to.Interruptible = from.Interruptible }},

		{"before_script", build, asEntry, func(j *Job, e entry) { j.Options.BeforeScript = e.script() },
			func(to, from *Job) { to.Options.BeforeScript = from.Options.BeforeScript }},
		{"script", build, asEntry, readScript, nil},
		{"run", build, asAttribute, readRun, nil},
		{"after_script", build, asEntry, func(j *Job, e entry) { j.Options.AfterScript = e.script() },
			func(to, from *Job) { to.Options.AfterScript = from.Options.AfterScript }},
		{"hooks", build, asEntry, readHooks, func(to, from *Job) { to.Options.Hooks = from.Options.Hooks }},
		{"cache", build, asEntry, readCaches, func(to, from *Job) { to.Options.Cache = from.Options.Cache }},
		{"image", build, asEntry, readImage, func(to, from *Job) { to.Options.Image = from.Options.Image }},
		{"services", build, asEntry, readServices,
			func(to, from *Job) { to.Options.Services = from.Options.Services }},
		{"timeout", build, asEntry, func(j *Job, e entry) { j.Options.Timeout = e.seconds(month - 1) },
			func(to, from *Job) { to.Options.Timeout = from.Options.Timeout }},
		{"retry", build, asEntry, readRetry, func(to, from *Job) { to.Options.Retry = from.Options.Retry }},
		{"tags", build, asEntry, readTags, func(to, from *Job) { to.Tags = from.Tags }},
		{"artifacts", build, asEntry, readArtifacts,
			func(to, from *Job) { to.Options.Artifacts = from.Options.Artifacts }},
		{"id_tokens", build, asEntry, readIDTokens,
			func(to, from *Job) { to.Options.IDTokens = from.Options.IDTokens }},
		{"identity", build, asAttribute, func(j *Job, e entry) { j.Options.Identity = e.text() },
			func(to, from *Job) { to.Options.Identity = from.Options.Identity }},
		{"dependencies", build, asAttribute, readDependencies, nil},
		{"coverage", build, asEntry, readCoverage, nil},
		{"release", build, asEntry, readRelease, nil},
		{"pages", build, asEntry, readPages, nil},
		{"publish", build, asEntry, readPublish, nil},
		{"secrets", build, asEntry, readSecrets, nil},
		{"inputs", build, asEntry, readInputs, nil},
		{"manual_confirmation", build, asAttribute,
			func(j *Job, e entry) { j.Options.ManualConfirmation = e.text() }, nil},
	}
}

// ignore is for keywords that are dealt with before.
func ignore(*Job, entry) {}

// keywordNames returns the keys that a kind of job may have.
func keywordNames(kind Kind) (names []string) {
	for _, k := range keywords {
		if k.allows(kind) {
			names = append(names, k.name)
		}
	}
	return names
}

// defaultNames returns the keys that default may have.
func defaultNames() (names []string) {
	for _, k := range keywords {
		if k.inherit != nil {
			names = append(names, k.name)
		}
	}
	return names
}

func (k keyword) allows(kind Kind) bool {
	return slices.Contains(strings.Fields(k.kinds), string(kind))
}

// entry returns the value that a job or default has for the keyword.
func (k keyword) entry(of entry) entry {
	if k.location == asAttribute {
		return of.field(k.name)
	}
	return of.sub(k.name)
}

// deprecated are the keys at the top that are default's.
var deprecated = []string{"image", "services", "before_script", "after_script", "cache"}

// checkDefaults reads default, and the keys at the top that mean the same.
func (c *checker) checkDefaults() {
	c.defaults, c.given = &Job{}, map[string]bool{}
	d := c.root("default")
	if isJob(d.node) {
		d.node = nil
	}
	if d.given() && !d.is(document.Map) {
		d.fail("should be a hash")
		d.node = nil
	}
	if d.given() {
		d.keys(defaultNames()...)
	}
	for _, k := range keywords {
		if k.inherit == nil {
			continue
		}
		e := k.entry(d)
		if top := c.root(k.name); slices.Contains(deprecated, k.name) && top.given() {
			if e.given() {
				c.fail(top.node, k.name+" is defined in top-level and `default:` entry")
			}
			e = top
		}
		if e.given() {
			c.given[k.name] = true
			k.read(c.defaults, e)
		}
	}
}
