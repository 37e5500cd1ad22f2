package definition

import (
	"hew/server/ci/document"
)

// maxTriggerIncludes bounds the files of a child pipeline's definition.
const maxTriggerIncludes = 3

// readTrigger reads the pipeline that a bridge starts.
func readTrigger(j *Job, e entry) {
	t := &Trigger{Forward: Forward{YAMLVariables: true}}
	j.Options.Trigger = t
	if e.is(document.String) {
		if t.Project = e.node.Text; t.Project == "" {
			e.fail("can't be blank")
		}
		return
	}
	if !e.is(document.Map) {
		e.attribute = "has"
		e.fail("to be either a string or a hash")
		return
	}
	if include := e.field("include"); include.given() {
		e.keys("strategy", "include", "forward", "inputs")
		t.Include = e.sub("include").triggerIncludes()
	} else {
		e.keys("project", "branch", "strategy", "forward", "inputs")
		t.Project, t.Branch = e.field("project").requiredText(), e.field("branch").text()
	}
	t.Strategy = e.field("strategy").oneOf("should be depend or mirror", "depend", "mirror")
	t.Inputs = e.sub("inputs").inputs()
	if forward := e.sub("forward"); forward.is(document.Map) {
		forward.keys("yaml_variables", "pipeline_variables")
		if yaml := forward.field("yaml_variables").optionalBoolean(); yaml != nil {
			t.Forward.YAMLVariables = *yaml
		}
		t.Forward.PipelineVariables = forward.field("pipeline_variables").boolean()
	} else if forward.given() {
		forward.fail("should be a hash")
	}
}

// triggerIncludes reads one file or several.
func (e entry) triggerIncludes() (includes []Include) {
	items := []*document.Node{e.node}
	if e.is(document.List) {
		items = e.node.Items
	}
	if len(items) > maxTriggerIncludes {
		e.fail("is too long (maximum is %d)", maxTriggerIncludes)
		return nil
	}
	for _, item := range items {
		includes = append(includes, e.item(e.location+":include", item).triggerInclude())
	}
	return includes
}

// triggerInclude reads one file.
func (e entry) triggerInclude() (i Include) {
	if e.is(document.String) {
		return Include{Local: e.node.Text}
	}
	if !e.is(document.Map) {
		e.fail("should be a hash or a string")
		return i
	}
	e.keys("local", "file", "remote", "project", "ref", "template", "artifact", "job", "component", "inputs")
	i = Include{Local: e.field("local").text(), Remote: e.field("remote").text(), Project: e.field("project").text(),
		Ref: e.field("ref").text(), Template: e.field("template").text(), Artifact: e.field("artifact").text(),
		Job: e.field("job").text(), Component: e.field("component").text(), Inputs: e.sub("inputs").inputs()}
	if file := e.field("file"); file.given() {
		i.File = file.stringOrStrings()
	}
	switch {
	case i.Project != "" && len(i.File) == 0:
		e.fail("must specify the file where to fetch the config from")
	case i.Artifact != "" && i.Job == "":
		e.fail("must specify the job where to fetch the artifact from")
	case i.Local+i.Remote+i.Project+i.Template+i.Artifact+i.Component == "":
		e.fail("must specify one of: local, project, remote, template, artifact, component")
	}
	return i
}

// maxInputs bounds the inputs of a job or a triggered pipeline.
const maxInputs = 50

// inputs reads a map, which other code knows the meaning of.
func (e entry) inputs() []byte {
	if !e.given() {
		return nil
	}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return nil
	}
	if len(e.node.Entries) > maxInputs {
		e.fail("has too many entries (maximum %d)", maxInputs)
	}
	return encode(e.node)
}

func readInputs(j *Job, e entry) { j.Options.Inputs = e.inputs() }
