package quick

import "slices"

// A run is backticks side by side.
type run struct {
	line, length int  // line within the paragraph
	escaped      bool // by a backslash: it can end a code span only
}

// spans holds the runs of backticks of a paragraph. A code span reaches from a run to the next one
// of the same length.
type spans struct {
	runs     []run
	ofLength map[int][]int // indexes of runs, ascending
	next     int           // the first run that is not read yet
}

func findSpans(lines []string) *spans {
	s := &spans{ofLength: map[int][]int{}}
	for i, line := range lines {
		for at := 0; at < len(line); {
			if line[at] != '`' {
				at++
				continue
			}
			end := at
			for end < len(line) && line[end] == '`' {
				end++
			}
			s.ofLength[end-at] = append(s.ofLength[end-at], len(s.runs))
			s.runs = append(s.runs, run{i, end - at, at > 0 && line[at-1] == '\\'})
			at = end
		}
	}
	return s
}

// lineAfter returns the line after line i, or after the code spans that begin in it. It is called
// with ascending lines.
func (s *spans) lineAfter(i int) int {
	for s.next < len(s.runs) && s.runs[s.next].line <= i {
		first := s.next
		s.next++
		if s.runs[first].line < i || s.runs[first].escaped { // a command's line is not text
			continue
		}
		same := s.ofLength[s.runs[first].length]
		if at, _ := slices.BinarySearch(same, s.next); at < len(same) {
			i = max(i, s.runs[same[at]].line)
			s.next = same[at] + 1
		}
	}
	return i + 1
}
