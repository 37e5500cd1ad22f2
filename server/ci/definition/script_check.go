package definition

import (
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

func readScript(j *Job, e entry) {
	j.Options.Script = e.script()
	for _, line := range j.Options.Script {
		if line != "" {
			return
		}
	}
	j.Options.Script = nil // finishJob reports it
}

// readRun stores steps, which only runners know.
func readRun(j *Job, e entry) {
	if !e.is(document.List) || len(e.node.Items) == 0 {
		e.fail("should be a valid array of steps")
		return
	}
	for _, item := range e.node.Items {
		if item == nil || item.Kind != document.Map {
			e.fail("should be a valid array of steps")
			return
		}
	}
	j.Options.Run = encode(e.node)
}

func readHooks(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("pre_get_sources_script")
	j.Options.Hooks = &Hooks{e.sub("pre_get_sources_script").script()}
}

// maxTags bounds the tags of a job.
const maxTags = 50

func readTags(j *Job, e entry) {
	j.Tags = e.strings()
	if len(j.Tags) >= maxTags {
		e.fail("must be less than the limit of %d tags", maxTags)
	}
}

func readCoverage(j *Job, e entry) {
	text := ""
	if e.is(document.String) {
		text = e.node.Text
	}
	if len(text) < 2 || !strings.HasPrefix(text, "/") || !strings.HasSuffix(text, "/") ||
		!expression.ValidRegexp(text[1:len(text)-1]) {
		e.fail("must be a regular expression with re2 syntax")
		return
	}
	j.Options.Coverage = text
}

// readImage reads the image of a job.
func readImage(j *Job, e entry) {
	if image := e.image(); image != nil {
		j.Options.Image = image
	}
}

// image reads a name, or a map with one.
func (e entry) image(more ...string) *Image {
	if e.is(document.String) {
		if strings.TrimSpace(e.node.Text) == "" {
			e.fail("can't be blank")
		}
		return &Image{Name: e.node.Text}
	}
	if !e.is(document.Map) {
		e.fail("should be a hash or a string")
		return nil
	}
	e.keys(append([]string{"name", "entrypoint", "ports", "docker", "kubernetes", "pull_policy"}, more...)...)
	image := &Image{Name: e.field("name").requiredText(), Entrypoint: e.field("entrypoint").strings(),
		Kubernetes: encode(e.node.Get("kubernetes"))}
	if docker := e.sub("docker"); docker.given() {
		if !docker.is(document.Map) {
			docker.fail("should be a hash")
			return image
		}
		docker.keys("platform", "user")
		image.Docker = &DockerOptions{docker.field("platform").text(), docker.field("user").text()}
	}
	policies := e.sub("pull_policy")
	switch {
	case policies.is(document.String):
		image.PullPolicy = []string{policies.node.Text}
	case policies.given():
		image.PullPolicy = policies.strings()
	}
	for _, policy := range image.PullPolicy {
		if policy != "always" && policy != "never" && policy != "if-not-present" {
			policies.fail("contains unknown values: %s", policy)
			break
		}
	}
	return image
}

// readServices reads a list of images.
func readServices(j *Job, e entry) {
	if !e.is(document.List) {
		e.fail("should be an array")
		return
	}
	j.Options.Services = []Service{}
	for _, item := range e.node.Items {
		of := e.item(e.location+":service", item)
		image := of.image("alias", "command", "variables")
		if image == nil {
			continue
		}
		s := Service{Image: *image}
		if of.is(document.Map) {
			s.Alias, s.Command = of.field("alias").text(), of.field("command").strings()
			for _, v := range of.sub("variables").variables() {
				s.Variables = append(s.Variables, NameAndValue{v.Key, v.Value})
			}
		}
		j.Options.Services = append(j.Options.Services, s)
	}
}
