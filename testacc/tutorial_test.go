package testacc

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// lesson is a tutorial in pieces: prose, files to write, and what is typed with what is answered.
type lesson []piece

// piece is a part of a lesson that is one of these.
type piece struct {
	prose   string // as it stands
	file    string // to write,
	content string // with this
	typed   string // a line at the prompt,
	answer  string // and what it prints
}

const (
	fence  = "```"
	prompt = "$ "
)

// read takes a page apart: fences that name a file, as in "```hcl main.hcl", hold what it is to
// hold, and those of a console what is typed in. All else is prose.
func read(page string) (all lesson) {
	within, language := piece{}, ""
	for line := range strings.Lines(page) {
		tag, fenced := strings.CutPrefix(strings.TrimSuffix(line, "\n"), fence)
		word, file, named := strings.Cut(tag, " ")
		switch {
		case fenced && language != "":
			all, within, language = append(all, within), piece{prose: line}, ""
		case fenced && (named || word == "console"):
			all = append(all, piece{prose: within.prose + line})
			within, language = piece{file: file}, word
		case language == "console" && strings.HasPrefix(line, prompt):
			if within.typed != "" {
				all = append(all, within)
			}
			within = piece{typed: strings.TrimSpace(line[len(prompt):])}
		case language == "console":
			within.answer += line
		case language != "":
			within.content += line
		default:
			within.prose += line
		}
	}
	return append(all, within)
}

// page is the lesson as it was read.
func (l lesson) page() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.prose + p.content)
		if p.typed != "" {
			b.WriteString(prompt + p.typed + "\n" + p.answer)
		}
	}
	return b.String()
}

// play has a shell do the lesson in a directory, and puts what it answers in the place of what the
// page says.
func (l lesson) play(t *testing.T, dir string, env ...string) lesson {
	const end = "\x00"
	script := "exec 2>&1\n"
	for _, p := range l {
		switch {
		case p.file != "":
			script += fmt.Sprintf("cat >%s <<'END OF FILE'\n%sEND OF FILE\n", p.file, p.content)
		case p.typed != "":
			script += p.typed + "\nprintf '\\0'\n"
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script)
	shell.Dir, shell.Env = dir, env
	said, err := shell.Output()
	require.NoError(t, err)
	answers := strings.Split(string(said), end)
	played := make(lesson, 0, len(l))
	for _, p := range l {
		if p.typed != "" {
			p.answer, answers = answers[0], answers[1:]
		}
		played = append(played, p)
	}
	require.Equal(t, []string{""}, answers, "one answer for each line that is typed")
	return played
}

// fleeting is what is another at every run, however it is looked at.
var fleeting = regexp.MustCompile(
	`\d+ requests?, \d+\.\d s|(added (?:by \w+, )?)\d{4}-\d\d-\d\d \d\d:\d\d|((?:group|project|hook|user) |#)\d+|[\w-]{43}|((?:Plan for|Drift on) )http\S+`,
)

// lasting is an answer without that. Its lines are sorted: what is done side by side is done in any
// order.
func lasting(answer string) []string {
	lines := strings.Split(fleeting.ReplaceAllString(answer, "$1$2$3…"), "\n")
	slices.Sort(lines)
	return lines
}

// TestTutorial does what examples/tutorial says, line by line, and compares every answer with the
// one that is printed there.
func TestTutorial(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the tutorial changes things behind hew's back with curl, which is not installed")
	}
	const file = "../examples/tutorial/README.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	told := read(string(page))
	require.Equal(t, string(page), told.page(), "nothing of the page is lost")

	server, dir := newStage(t).server, t.TempDir()
	played := told.play(t, dir, "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir,
		"HEW_URL="+strings.TrimSuffix(server.URL, prefix), "HEW_TOKEN="+server.RootToken)
	if *servertest.Update {
		require.NoError(t, os.WriteFile(file, []byte(played.page()), 0o644))
		return
	}
	for i, p := range told {
		require.Equal(t, lasting(p.answer), lasting(played[i].answer), "after: %s", p.typed)
	}
}
