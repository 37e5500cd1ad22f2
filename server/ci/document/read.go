package document

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// yamlName is what the name of an included file must be.
var yamlName = regexp.MustCompile(`(?i).+\.(yml|yaml)$`)

const templateSuffix = ".gitlab-ci.yml"

// refusal returns why an entry cannot be read, or "" if it can be tried.
func (l *loader) refusal(e entry) string {
	name := "`" + e.location + "`"
	if !e.textual {
		return "Included file " + name + " needs to be a string"
	}
	if e.at.Form != Component && !yamlName.MatchString(path.Base(e.location)) {
		return "Included file " + name + " does not have YAML extension!"
	}
	switch {
	case e.at.Form == Local && e.at.From == Origin{}:
		return "Local file " + name + " does not have project!"
	case e.at.Form == Remote && !isAddress(e.location):
		return "Remote file " + name + " does not have a valid address!"
	case e.at.Form == Template && !strings.HasSuffix(e.location, templateSuffix):
		return "Template file " + name + " is not a valid location!"
	case e.at.Form == Component && e.at.From == Origin{}:
		return "Unable to use components outside of a project context"
	case e.at.Form == Component && e.at.Path == "":
		return "Component '" + e.location + "' - the component path is not supported"
	case e.at.Form == Artifact && !l.request.Child:
		return "Including configs from artifacts is only allowed when triggering child pipelines"
	case e.at.Form == Artifact && e.at.Job == "":
		return "Job must be provided when including configs from artifacts"
	}
	return l.integrityRefusal(e)
}

// integrityRefusal returns what is wrong with the key `integrity`.
func (l *loader) integrityRefusal(e entry) string {
	integrity := e.keys.Get("integrity")
	if integrity == nil {
		return ""
	}
	if e.at.Form != Remote {
		return "include config integrity can only be specified for remote includes"
	}
	hash, ok := strings.CutPrefix(integrity.ScalarText(), "sha256-")
	if integrity.Kind != String || !ok {
		return "include config integrity hash must start with 'sha256-'"
	}
	if _, err := base64.StdEncoding.Strict().DecodeString(hash); err != nil {
		return "include config integrity hash must be base64 encoded"
	}
	return ""
}

// read returns the file of an entry.
func (l *loader) read(ctx context.Context, e entry) (File, error) {
	if text := l.refusal(e); text != "" {
		return File{}, l.fault(e, text)
	}
	file, err := l.request.Files.Read(ctx, e.at)
	if err != nil {
		if text := absence(e, err); text != "" {
			return File{}, l.fault(e, text)
		}
		return File{}, l.placed(l.timedOut(ctx, err), e.node)
	}
	if integrity := e.keys.Get("integrity"); integrity != nil {
		sum := sha256.Sum256(file.Content)
		if integrity.Text != "sha256-"+base64.StdEncoding.EncodeToString(sum[:]) {
			return File{}, l.fault(e, "Remote file `"+e.location+"` failed integrity check!")
		}
	}
	if strings.TrimSpace(string(file.Content)) == "" {
		return File{}, l.fault(e, emptiness(e))
	}
	return file, nil
}

// absence returns the text for a file that cannot be had, or "" for another error.
func absence(e entry, err error) string {
	missing, noRef, noProject := errors.Is(err, ErrNoFile), errors.Is(err, ErrNoRef), errors.Is(err, ErrNoProject)
	var remote *RemoteError
	switch at := e.at; {
	case errors.As(err, &remote):
		return fmt.Sprintf("Remote file `%s` could not be fetched after %s because of %s error!",
			e.location, count(remote.Attempts, "attempt"), remote.Reason)
	case !missing && !noRef && !noProject:
		return ""
	case at.Form == Local:
		return "Local file `" + e.location + "` does not exist!"
	case at.Form == Project && noProject:
		return "Project `" + at.Project + "` not found or access denied! " +
			"Make sure any includes in the pipeline configuration are correctly defined."
	case at.Form == Project && noRef:
		return "Project `" + at.Project + "` reference `" + at.Ref + "` does not exist!"
	case at.Form == Project:
		return "Project `" + at.Project + "` file `" + e.location + "` does not exist!"
	case at.Form == Component && noProject:
		return "Component '" + e.location + "' - project does not exist or you don't have sufficient permissions"
	case at.Form == Component:
		return "Component '" + e.location + "' - content not found"
	case at.Form == Artifact && missing:
		return "Path `" + e.location + "` does not exist inside the `" + at.Job + "` archive!"
	case at.Form == Artifact:
		return "Job `" + at.Job + "` not found in parent pipeline or does not have artifacts!"
	}
	return emptiness(e)
}

// emptiness returns the text for a file that has nothing in it.
func emptiness(e entry) string {
	switch e.at.Form {
	case Local:
		return "Local file `" + e.location + "` is empty!"
	case Project:
		return "Project `" + e.at.Project + "` file `" + e.location + "` is empty!"
	case Artifact:
		return "File `" + e.location + "` is empty!"
	case Component:
		return "Component '" + e.location + "' - content not found"
	}
	return "Included file `" + e.location + "` is empty or does not exist!"
}

// fault returns an error at the place of an entry, without the values of masked variables.
func (l *loader) fault(e entry, text string) *Error {
	return errorAt(e.node, "%s", l.mask.Replace(text))
}

// placed gives an error of a definition that has no place the one of a node.
func (l *loader) placed(err error, n *Node) error {
	var fault *Error
	if !errors.As(err, &fault) {
		return err
	}
	shown := *fault
	shown.Text = cut(l.mask.Replace(shown.Text))
	if shown.File == "" {
		shown.File, shown.Line = n.File, n.Line
	}
	return &shown
}
