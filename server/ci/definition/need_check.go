package definition

import (
	"hew/server/ci/document"
)

// need is a need of a job of the same pipeline as it is written.
type need struct {
	job       string
	artifacts bool
	optional  bool
	matrix    []combination // of the instances; nil: all
	at        *document.Node
}

// maxCrossNeeds is how many jobs of other pipelines a job may need.
const maxCrossNeeds = 5

// readNeeds reads the needs of a job.
func readNeeds(j *Job, e entry) {
	items := []*document.Node{e.node}
	switch {
	case e.is(document.List):
		items, _ = flatten(e.node)
	case e.is(document.Map) && len(e.node.Entries) == 0:
		e.fail("can't be blank")
		return
	case !e.is(document.Map):
		e.fail("can only be a hash or an array")
		return
	}
	names := []need{}
	for _, item := range items {
		of := e.item(e.location+":need", item)
		switch {
		case of.is(document.String):
			names = append(names, need{job: of.needName(of.node), artifacts: true, at: item})
		case of.is(document.Map) && of.field("pipeline").given() && !of.field("job").given() && j.Kind == Bridge:
			of.keys("pipeline")
			j.Options.UpstreamPipeline = of.field("pipeline").requiredText()
		case of.is(document.Map) && (of.field("pipeline").given() || of.field("project").given()):
			j.Options.CrossNeeds = append(j.Options.CrossNeeds, of.crossNeed())
		case of.is(document.Map) && of.field("job").given():
			names = append(names, of.need())
		default:
			of.attribute = "has"
			of.fail("an unsupported type")
		}
	}
	if len(j.Options.CrossNeeds) > maxCrossNeeds {
		e.fail("must be less than or equal to %d", maxCrossNeeds)
	}
	if j.Kind == Bridge && len(j.Options.CrossNeeds) > 0 {
		e.fail("uses invalid types: cross_dependency")
	}
	if j.Options.UpstreamPipeline != "" && len(names) == 0 {
		return
	}
	j.needs = names
}

// needName reads the name of a needed job.
func (e entry) needName(n *document.Node) string {
	switch {
	case n == nil || n.Kind != document.String:
		e.fail("should be a string")
		return ""
	case n.Text == "":
		e.fail("can't be blank")
	}
	return e.atMost(n.Text, maxName)
}

// need reads a need with several keys.
func (e entry) need() need {
	e.keys("job", "artifacts", "optional", "parallel")
	job := e.field("job")
	n := need{job: job.needName(job.node), artifacts: true, optional: e.field("optional").boolean(), at: e.node}
	if artifacts := e.field("artifacts").optionalBoolean(); artifacts != nil {
		n.artifacts = *artifacts
	}
	if parallel := e.sub("parallel"); parallel.given() {
		if !parallel.is(document.Map) {
			parallel.attribute = "should"
			parallel.fail("be a hash")
			return n
		}
		parallel.keys("matrix")
		n.matrix = parallel.sub("matrix").matrix()
	}
	return n
}

// crossNeed reads a need of a job of another pipeline.
func (e entry) crossNeed() CrossNeed {
	need := CrossNeed{Job: e.field("job").requiredText(), Artifacts: true}
	if artifacts := e.field("artifacts").optionalBoolean(); artifacts != nil {
		need.Artifacts = *artifacts
	}
	if e.field("project").given() {
		e.keys("project", "job", "ref", "artifacts")
		need.Project, need.Ref = e.field("project").requiredText(), e.field("ref").requiredText()
		return need
	}
	e.keys("pipeline", "job", "artifacts")
	pipeline := e.field("pipeline")
	if text, ok := scalar(pipeline.node); ok && pipeline.is(document.Int) {
		need.Pipeline = text
	} else {
		need.Pipeline = pipeline.requiredText()
	}
	return need
}

func readDependencies(j *Job, e entry) { j.deps = e.strings() }
