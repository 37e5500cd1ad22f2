package document_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

func TestMergedYAML(t *testing.T) {
	t.Parallel()
	d, err := files{}.load(`
default: {tags: [a, b], retry: 2, timeout: ~}
.empty: {}
.none: []
1: {when: "on", script: ["012", 012, 1.50, yes, "yes", "a: b", "#x", "- y", "", "it's"]}
job:
  script:
  - |
    if true; then
      echo "a"

    fi
  - "no\nend"
  - "\nfirst"
  - "tab\there"
  - - nested
    - k: 1
      l: [2]
  "a b: c": {x: {y: 1}}
`)
	require.NoError(t, err)
	require.Equal(t, `---
default:
  tags:
  - a
  - b
  retry: 2
  timeout:
.empty: {}
.none: []
'1':
  when: 'on'
  script:
  - '012'
  - 10
  - 1.5
  - true
  - 'yes'
  - 'a: b'
  - '#x'
  - '- y'
  - ''
  - it's
job:
  script:
  - |
    if true; then
      echo "a"

    fi
  - |-
    no
    end
  - "\nfirst"
  - "tab\there"
  - - nested
    - k: 1
      l:
      - 2
  'a b: c':
    x:
      'y': 1
`, d.MergedYAML())
}

func TestMergedYAMLOfNothing(t *testing.T) {
	t.Parallel()
	d, err := files{}.load("# nothing\n")
	require.NoError(t, err)
	require.Equal(t, "--- {}\n", d.MergedYAML())
}

// pieces are what random texts are made of.
var pieces = []string{"a", "B", "0", "1", "9", "_", "-", "- ", ":", ": ", ",", "[", "]", "{", "}", "#", " #", " ", "  ",
	"\n", "\n\n", "\t", "\r", "'", "\"", "\\", "|", ">", "&", "*", "!", "%", "@", "`", "~", ".", "...", "---", "<<",
	"=",
	"?", "? ", "yes", "null", "0x1F", "1:30", "1.5", ".inf", "ä", "\u00a0", "\u0085", "\u2028", "\ufeff", "\x00",
	"\x7f",
	"😀", "$[[ x ]]", "!reference"}

// randomText returns a text that YAML may take for something else.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	if r.IntN(50) == 0 {
		b.WriteString(strings.Repeat("long ", 300))
	}
	return b.String()
}

// randomNode returns a tree without references.
func randomNode(r *rand.Rand, depth int) *document.Node {
	n := &document.Node{Kind: document.Kind(r.IntN(7))}
	if depth == 0 && n.Kind > document.String {
		n.Kind = document.String
	}
	switch n.Kind {
	case document.Bool:
		n.Bool = r.IntN(2) == 0
	case document.Int:
		n.Int = int64(r.Uint64()) >> r.IntN(64)
	case document.Float:
		floats := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e300, 1e-300, 1e15,
			r.Float64()}
		n.Float = floats[r.IntN(len(floats))]
	case document.String:
		n.Text = randomText(r)
	case document.Map:
		keys := map[string]bool{}
		for range r.IntN(4) {
			if key := randomText(r); !keys[key] {
				keys[key] = true
				n.Entries = append(n.Entries, document.Entry{Key: key, Value: randomNode(r, depth-1), Plain: true})
			}
		}
	case document.List:
		for range r.IntN(4) {
			n.Items = append(n.Items, randomNode(r, depth-1))
		}
	}
	return n
}

// TestMergedYAMLIsTheTree writes random trees and reads them again.
func TestMergedYAMLIsTheTree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		root := &document.Node{Kind: document.Map, Entries: []document.Entry{
			{Key: "x", Value: randomNode(r, 4), Plain: true},
			{Key: randomText(r) + "y", Value: randomNode(r, 3), Plain: true},
		}}
		text := (&document.Document{Root: root}).MergedYAML()
		again, err := document.Parse("merged.yml", []byte(text), document.Limits{})
		require.NoError(t, err, "seed %d: %s", seed, text)
		require.True(t, root.Equal(again), "seed %d: %s\n%s\n%s", seed, text, shown(root), shown(again))
	}
}
