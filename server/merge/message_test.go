package merge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpand(t *testing.T) {
	values := map[string]string{
		"source_branch": "topic", "target_branch": "main", "title": "Add a page", "reference": "acme/site!1",
		"issues": "Closes #1 and #2", "description": "", "all_commits": "* one\n* two",
	}
	value := func(name string) (string, bool) { text, known := values[name]; return text, known }
	for name, c := range map[string]struct{ template, want string }{
		"merge": {defaultMergeMessage, "Merge branch 'topic' into 'main'\n\nAdd a page\n\nCloses #1 and #2\n\n" +
			"See merge request acme/site!1"},
		"squash":                        {defaultSquashMessage, "Add a page"},
		"empty between blank lines":     {"%{title}\n\n%{description}\n\nEnd", "Add a page\n\nEnd"},
		"empty below a text":            {"%{title}\n%{description}\nEnd", "Add a page\nEnd"},
		"empty first":                   {"%{description}\n\n%{title}", "Add a page"},
		"empty last":                    {"%{title}\n\n%{description}", "Add a page"},
		"empty within a line":           {"a %{description}b", "a b"},
		"unknown":                       {"%{title} %{nothing}", "Add a page %{nothing}"},
		"several lines":                 {"%{title}\n\n%{all_commits}", "Add a page\n\n* one\n* two"},
		"twice":                         {"%{title} %{title}", "Add a page Add a page"},
		"lines of Windows":              {"%{title}\r\n\r\n%{description}\r\n\r\nEnd", "Add a page\n\nEnd"},
		"value that looks like another": {"%{title} %{literal}", "Add a page %{literal}"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, expand(c.template, value)) })
	}
	values["issues"] = ""
	require.Equal(t, "Merge branch 'topic' into 'main'\n\nAdd a page\n\nSee merge request acme/site!1",
		expand(defaultMergeMessage, value))
}

func TestClosingList(t *testing.T) {
	require.Empty(t, closingList(nil))
	require.Equal(t, "Closes #1", closingList([]string{"#1"}))
	require.Equal(t, "Closes #1, #2 and acme/site#3", closingList([]string{"#1", "#2", "acme/site#3"}))
}
