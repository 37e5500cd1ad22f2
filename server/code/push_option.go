package code

import (
	"slices"
	"strings"
)

// PushOptions are the options of a push by topic and name, as hooks get them. A value is a text,
// true where the client gave none or, for an option that can be given several times, how often each
// text was given.
type PushOptions map[string]map[string]any

// pushTopics are the options that the public service knows, by topic. Others have no effect, and
// are not sent to hooks.
var pushTopics = map[string]string{
	"ci": "skip variable input",
	"merge_request": "assign create description draft label merge_when_pipeline_succeeds milestone " +
		"remove_source_branch target target_project title unassign unlabel",
	"integrations":           "skip_ci",
	"secret_detection":       "skip_all",
	"secret_push_protection": "skip_all",
}

// repeatable are the options that can be given several times.
var repeatable = strings.Fields("ci.variable ci.input merge_request.label merge_request.unlabel " +
	"merge_request.assign merge_request.unassign")

// ParsePushOptions reads options such as ci.skip and merge_request.title=Fix, as git push
// --push-option sends them; mr stands for merge_request. The last value of an option counts.
func ParsePushOptions(list []string) PushOptions {
	options := PushOptions{}
	for _, text := range list {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "") // Postgres stores no NUL
		topic, rest, _ := strings.Cut(text, ".")
		name, value, _ := strings.Cut(rest, "=")
		topic, name, value = strings.TrimSpace(topic), strings.TrimSpace(name), strings.TrimSpace(value)
		if topic == "mr" {
			topic = "merge_request"
		}
		if !slices.Contains(strings.Fields(pushTopics[topic]), name) {
			continue
		}
		if options[topic] == nil {
			options[topic] = map[string]any{}
		}
		options.set(topic, name, value)
	}
	return options
}

func (o PushOptions) set(topic, name, value string) {
	switch {
	case slices.Contains(repeatable, topic+"."+name):
		counts, _ := o[topic][name].(map[string]int)
		if counts == nil {
			counts = map[string]int{}
			o[topic][name] = counts
		}
		if value == "" {
			value = "true"
		}
		counts[value]++
	case value == "":
		o[topic][name] = true
	default:
		o[topic][name] = value
	}
}
