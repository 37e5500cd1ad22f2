package gittest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Shape says how large a repository is that Large makes.
type Shape struct {
	Commits int // on the first parents of main
	Merges  int // of branches of one commit, among them
	Files   int // of the first commit
}

// Large makes a repository that resembles one of source code: files of some hundred lines three
// directories deep, and commits that change a few lines of two of them. Its branch is main. A
// commit is about nine objects, and a merge ten more. The same shape makes the same repository.
func Large(t testing.TB, s Shape) Repo {
	l := &large{random: rand.New(rand.NewPCG(uint64(s.Commits), 2))}
	for i := range s.Files {
		l.paths = append(l.paths, fmt.Sprintf("src/module%02d/part%02d/file%04d.go", i%23, i%7, i))
		var lines []string
		for range 40 + l.random.IntN(200) {
			lines = append(lines, l.line())
		}
		l.files = append(l.files, lines)
	}
	l.commit("")
	for i := range s.Files {
		l.write(i)
	}
	for i := range s.Commits - 1 {
		if s.Merges == 0 || i%max(1, s.Commits/s.Merges) != 0 {
			l.commit("")
			l.edit()
			continue
		}
		l.branch("side", "from refs/heads/main\n")
		l.edit()
		l.commit("merge refs/heads/side\n")
		l.edit()
	}
	r := New(t)
	r.Git(l.out.String(), "fast-import", "--quiet")
	if s.Merges > 0 {
		r.Git("", "update-ref", "-d", "refs/heads/side")
	}
	return r
}

// large writes a repository for fast-import.
type large struct {
	random *rand.Rand
	out    strings.Builder
	time   int
	paths  []string
	files  [][]string // their lines
}

func (l *large) line() string {
	return fmt.Sprintf("\tvalue%d := compute(%d, %q)", l.random.IntN(50), l.random.IntN(1000), l.word())
}

func (l *large) word() string { return words[l.random.IntN(len(words))] }

var words = strings.Fields("group project member branch commit label hook mirror token runner setting rule " +
	"plan apply drift ledger schema provider server request answer error")

func (l *large) commit(parents string) { l.branch("main", parents) }

func (l *large) branch(name, parents string) {
	l.time += 60 + l.random.IntN(3600)
	message := fmt.Sprintf("Change %s and %s\n", l.word(), l.word())
	fmt.Fprintf(&l.out, "commit refs/heads/%s\ncommitter C <c@example.com> %d +0000\ndata %d\n%s%s",
		name, 1_600_000_000+l.time, len(message), message, parents)
}

// edit changes a few lines of two files.
func (l *large) edit() {
	for range 2 {
		i := l.random.IntN(len(l.files))
		for range 3 {
			l.files[i][l.random.IntN(len(l.files[i]))] = l.line()
		}
		l.write(i)
	}
}

func (l *large) write(i int) {
	text := strings.Join(l.files[i], "\n") + "\n"
	fmt.Fprintf(&l.out, "M 100644 inline %s\ndata %d\n%s\n", l.paths[i], len(text), text)
}
