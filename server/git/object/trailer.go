package object

import (
	"regexp"
	"strings"
)

// Trailer is a line such as "Signed-off-by: A <a@example.com>" at the end of a message. Value is on
// one line.
type Trailer struct{ Key, Value string }

// comment begins the lines of a message that git ignores.
const comment = "#"

// generated are the beginnings of lines that git itself adds. A paragraph with one of them may hold
// other text too.
var generated = []string{"Signed-off-by: ", "(cherry picked from commit "}

// trailerLine matches a line with a key; the key may be followed by white space.
var trailerLine = regexp.MustCompile(`^([A-Za-z0-9-]+)[ \t]*:`)

// lineBreak matches what one space stands for in a value that was written on several lines.
var lineBreak = regexp.MustCompile(`\n[ \t\n\r]*`)

// Trailers returns the trailers of a message, in their order, by the rules of git log
// --format=%(trailers), which are those of git interpret-trailers --parse --no-divider: the last
// paragraph counts if it is not the first one, and holds trailers only or a line that git adds and
// at least a quarter trailers.
func Trailers(message string) []Trailer {
	var lines []string
	for line := range strings.Lines(message) {
		lines = append(lines, line)
	}
	lines = lines[:trailerEnd(lines)]
	lines = lines[trailerStart(lines):]

	var trailers []Trailer
	open := false // whether the last line was a trailer, which the next one may continue
	for _, line := range lines {
		if isIndented(line) && open {
			trailers[len(trailers)-1].Value += line
			continue
		}
		match := trailerLine.FindStringSubmatch(line)
		if open = match != nil; open {
			trailers = append(trailers, Trailer{Key: match[1], Value: line[len(match[0]):]})
		}
	}
	for i, t := range trailers {
		trailers[i].Value = lineBreak.ReplaceAllString(strings.Trim(t.Value, spaces), " ")
	}
	return trailers
}

// trailerEnd returns the number of lines without the comments, the list of conflicts and the empty
// lines that may follow the trailers.
func trailerEnd(lines []string) int {
	const scissors = "# ------------------------ >8 ------------------------\n"
	end, conflicts := 0, false // git, too, takes 0 for not found
	for i, line := range lines {
		switch {
		case line == scissors && end > 0:
			return end
		case line == scissors:
			return i
		case strings.HasPrefix(line, comment), line == "\n":
		case line == "Conflicts:\n":
			conflicts = true
		case conflicts && line[0] == '\t':
			continue
		default:
			end, conflicts = 0, false
			continue
		}
		if end == 0 {
			end = i
		}
	}
	if end == 0 {
		return len(lines)
	}
	return end
}

// trailerStart returns the number of the line after the last empty one, if the lines from there on
// count as trailers, else the number of all lines.
func trailerStart(lines []string) int {
	title := 0
	for title < len(lines) && (strings.HasPrefix(lines[title], comment) || !isBlank(lines[title])) {
		title++
	}
	var trailers, others, indented int
	empty, recognized := true, false
	for i := len(lines) - 1; i >= title; i-- {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, comment):
			others += indented
			indented = 0
		case isBlank(line):
			if empty {
				continue
			}
			others += indented
			if recognized && trailers*3 >= others || trailers > 0 && others == 0 {
				return i + 1
			}
			return len(lines)
		case isGenerated(line):
			trailers++
			indented, recognized = 0, true
		case trailerLine.MatchString(line):
			trailers++
			indented = 0
		case isIndented(line):
			indented++
		default:
			others += 1 + indented
			indented = 0
		}
		empty = empty && strings.HasPrefix(line, comment)
	}
	return len(lines)
}

func isGenerated(line string) bool {
	for _, prefix := range generated {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

func isBlank(line string) bool { return strings.Trim(line, spaces) == "" }

func isIndented(line string) bool { return line != "" && strings.IndexByte(spaces, line[0]) >= 0 }
