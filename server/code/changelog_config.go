package code

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"hew/server/check"
	"hew/server/fault"
)

// ChangelogConfig is the file of a project that says how its changelogs are made.
const ChangelogConfig = ".gitlab/changelog_config.yml"

// maxChangelogConfig is how many bytes that file may have.
const maxChangelogConfig = 128 << 10

// changelogVersion matches a version by the rules of semantic versioning. A v may come before it.
var changelogVersion = regexp.MustCompile(`^v?(?P<major>0|[1-9]\d*)\.(?P<minor>0|[1-9]\d*)\.(?P<patch>0|[1-9]\d*)` +
	`(?:-(?P<pre>(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(?:\+(?P<meta>[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

// changelogTemplate lists changes by category, each with its commit.
const changelogTemplate = `{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- [{{ title }}]({{ commit.reference }})\
{% if author.credit %} by {{ author.reference }}{% end %}\
{% if merge_request %} ([merge request]({{ merge_request.reference }})){% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
`

// changelogConfig is what a project configures of its changelogs.
type changelogConfig struct {
	dateFormat string // as strftime has it
	template   []templateNode
	categories map[string]string // titles, by what the trailer of a commit says
	titles     []string          // the categories in their order
	groups     []string          // the paths of groups whose members are credited
	tag        *regexp.Regexp
}

// readChangelogConfig reads a file of the default branch. One that does not exist configures
// nothing.
func (g *Git) readChangelogConfig(ctx context.Context, path string) (changelogConfig, error) {
	c := changelogConfig{dateFormat: "%Y-%m-%d", categories: map[string]string{}, tag: changelogVersion}
	var err error
	if c.template, err = parseTemplate(changelogTemplate); err != nil {
		return c, err
	}
	text, err := g.ReadSmallFile(ctx, "HEAD", path, maxChangelogConfig)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return c, nil
	case err != nil:
		return c, err
	case text == nil:
		return c, changelogProblem(fmt.Sprintf("%s is longer than %d bytes", path, maxChangelogConfig))
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return c, changelogProblem(fmt.Sprintf("%s is not valid YAML: %s", path, strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	if doc.Kind == 0 {
		return c, nil // an empty file
	}
	return c, c.read(doc.Content[0])
}

// read reads the keys of the file. Aliases are not followed.
func (c *changelogConfig) read(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return changelogProblem("The configuration must be a Hash")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i].Value, root.Content[i+1]
		var err error
		switch key {
		case "date_format":
			c.dateFormat, err = scalarOf(key, value)
		case "template":
			var text string
			if text, err = scalarOf(key, value); err == nil {
				c.template, err = parseTemplate(text)
			}
		case "categories":
			err = c.readCategories(value)
		case "include_groups":
			if value.Kind != yaml.SequenceNode {
				return changelogProblem(`The "include_groups" configuration key must be an Array`)
			}
			for _, element := range value.Content {
				c.groups = append(c.groups, element.Value)
			}
		case "tag_regex":
			var text string
			if text, err = scalarOf(key, value); err == nil {
				err = c.setTag(text)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func scalarOf(key string, value *yaml.Node) (string, error) {
	if value.Kind != yaml.ScalarNode {
		return "", changelogProblem(fmt.Sprintf("The %q configuration key must be a String", key))
	}
	return value.Value, nil
}

func (c *changelogConfig) readCategories(value *yaml.Node) error {
	if value.Kind != yaml.MappingNode {
		return changelogProblem(`The "categories" configuration key must be a Hash`)
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		title, err := scalarOf("categories", value.Content[i+1])
		if err != nil {
			return err
		}
		c.categories[value.Content[i].Value] = title
		c.titles = append(c.titles, title)
	}
	return nil
}

// setTag sets what matches the tags of versions. It must capture their numbers.
func (c *changelogConfig) setTag(text string) error {
	err := check.Regex(text)
	if len(text) > check.MaxRegexLength {
		err = fmt.Errorf("it is longer than %d characters", check.MaxRegexLength)
	}
	if err == nil {
		c.tag, err = regexp.Compile(text)
	}
	if err != nil {
		return changelogProblem("The regular expression to use for finding the previous tag for a version is invalid: " +
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return nil
}

// strftime maps the directives of dates to layouts of package time.
var strftime = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'B': "January", 'b': "Jan", 'A': "Monday", 'a': "Mon",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'j': "002", 'F': "2006-01-02", 'T': "15:04:05", 'Z': "MST",
	'z': "-0700",
}

// formatDate writes a time by the directives that it knows, and leaves others as they are.
func (c changelogConfig) formatDate(t time.Time) string {
	var out strings.Builder
	format := c.dateFormat
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		plain := format[i] == '-' && i+1 < len(format) // %-d: without zeros before it
		if plain {
			i++
		}
		layout, known := strftime[format[i]]
		switch text := t.Format(layout); {
		case format[i] == '%':
			out.WriteByte('%')
		case !known:
			out.WriteString("%" + string(format[i]))
		case plain:
			out.WriteString(strings.TrimLeft(text, "0 "))
		default:
			out.WriteString(text)
		}
	}
	return out.String()
}
