package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
)

// A Task is an item of a list that begins with a check box.
type Task struct {
	Text string // the rest of its first line, as Markdown
	Done bool
	Line int // of the check box in the text, from 1
}

// Tasks returns the tasks of a text in order: items of lists, nested and quoted ones too, that
// begin with "[ ]" or "[x]", a blank and a text. HTML shows a check box for each of them, and for
// items without the blank or the text, too. A text that would take long to parse is read line by
// line: there, blocks of code that are indented have tasks, too.
func Tasks(text string) (list []Task) {
	root, source := parse(text)
	if root == nil {
		return tasksByLine(text)
	}
	line, counted := 1, 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		box, isBox := n.(*extension.TaskCheckBox)
		if !isBox || !entering {
			return ast.WalkContinue, nil
		}
		first := n.Parent().Lines().At(0)
		rest := string(first.Value(source))
		rest = rest[strings.IndexByte(rest, ']')+1:]
		if title := strings.TrimSpace(rest); title != "" && strings.TrimLeft(rest, " \t") != rest {
			line += strings.Count(text[counted:first.Start], "\n")
			counted = first.Start
			list = append(list, Task{Text: title, Done: box.IsChecked, Line: line})
		}
		return ast.WalkContinue, nil
	})
	return list
}

// taskLine matches an item of a list, within others and quotes, that begins with a check box.
var taskLine = regexp.MustCompile(`^[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t][ \t>]*)+\[([ xX])\][ \t]+(\S.*)`)

// tasksByLine returns the tasks of a text in a time that grows with its length.
func tasksByLine(text string) (list []Task) {
	line, counted := 1, 0
	for at, content := range outsideFences(text) {
		m := taskLine.FindStringSubmatch(content)
		if m == nil {
			continue
		}
		line += strings.Count(text[counted:at], "\n")
		counted = at
		list = append(list, Task{Text: strings.TrimSpace(m[2]), Done: m[1] != " ", Line: line})
	}
	return list
}
