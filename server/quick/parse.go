// Package quick reads quick actions: lines such as "/label ~bug" in descriptions and notes. It does
// not run them.
package quick

import (
	"maps"
	"slices"
	"strings"
)

// A Call is a command that a text gives.
type Call struct {
	Name     string // canonical
	Argument string // without blanks around it
}

// Parse returns the commands of a text, and the text without their lines and without the blanks at
// its end. A command is a line that starts with a slash and a name of the table in any case, and
// ends there or has its argument after a blank. Lines in fenced code, HTML blocks, ">>>" blocks and
// code spans over several lines are text, and so are lines with other names. Carriage returns are
// removed.
//
// calls has one call for each command, ordered by where the command stands last. Its argument is
// the last one, or all of them with a blank between them if the command adds up; if one call of
// these has no argument although others may have, the result has none, which means all.
//
// It takes a time in proportion to the length of the text, whatever the text is.
func Parse(text string, table []Command) (rest string, calls []Call) {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	verbatim := blocks(lines)
	known := names(table)
	kept := make([]string, 0, len(lines))
	found := calling{arguments: map[*Command][]string{}, last: map[*Command]int{}}
	for i := 0; i < len(lines); {
		if verbatim[i] || isBlank(lines[i]) {
			kept = append(kept, lines[i])
			i++
			continue
		}
		end := i
		for end < len(lines) && !verbatim[end] && !isBlank(lines[end]) {
			end++
		}
		kept = found.readParagraph(lines[i:end], known, kept)
		i = end
	}
	return strings.TrimRight(strings.Join(kept, "\n"), " \t\n\v\f"), found.calls()
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// calling collects the calls of a text.
type calling struct {
	arguments map[*Command][]string
	last      map[*Command]int // the number of its last call
	count     int              // of calls
}

// readParagraph adds the commands of adjacent lines, and appends the other lines to kept.
func (c *calling) readParagraph(lines []string, known map[string]*Command, kept []string) []string {
	var spans *spans
	for i := 0; i < len(lines); {
		command, argument := command(lines[i], known)
		if command != nil && command.Appends == "" {
			c.add(command, argument)
			i++
			continue
		}
		if command != nil {
			kept = append(kept, strings.TrimSpace(argument+" "+command.Appends))
			i++
			continue
		}
		if spans == nil {
			spans = findSpans(lines)
		}
		next := spans.lineAfter(i) // beyond a code span that begins in this line
		kept = append(kept, lines[i:next]...)
		i = next
	}
	return kept
}

// command returns the command that a line gives, and its argument; nil if it gives none.
func command(line string, known map[string]*Command) (*Command, string) {
	if !strings.HasPrefix(line, "/") {
		return nil, ""
	}
	name, argument, _ := strings.Cut(strings.TrimRight(line[1:], " \t\v\f"), " ")
	const longest = 64 // bytes of a name, so that a long line is not copied
	if len(name) > longest {
		return nil, ""
	}
	return known[strings.ToLower(name)], strings.TrimSpace(argument)
}

func (c *calling) add(command *Command, argument string) {
	c.arguments[command] = append(c.arguments[command], argument)
	c.last[command] = c.count
	c.count++
}

// calls returns one call for each command, in the order of their last lines.
func (c *calling) calls() (calls []Call) {
	commands := slices.SortedFunc(maps.Keys(c.last), func(a, b *Command) int { return c.last[a] - c.last[b] })
	for _, command := range commands {
		arguments := c.arguments[command]
		argument := arguments[len(arguments)-1]
		if command.AddsUp {
			argument = joined(arguments, command.Argument)
		}
		calls = append(calls, Call{command.Name, argument})
	}
	return calls
}

func joined(arguments []string, kind Argument) string {
	if kind == OptionalArgument && slices.Contains(arguments, "") {
		return ""
	}
	return strings.TrimSpace(strings.Join(arguments, " "))
}
