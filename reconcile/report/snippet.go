package report

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/report/prose"
)

// Sources are the files of a configuration by name, their secrets covered.
type Sources map[string]*hcl.File

const (
	snippetLines = 4   // of a longer range the first ones and the last
	snippetWidth = 160 // columns of a line; JSON may be all in one
)

// snippet returns the lines of a range, each with its marks.
func (s Sources) snippet(r *hcl.Range) []Line {
	f := s[r.Filename]
	if f == nil || r.Start.Byte > len(f.Bytes) {
		return nil
	}
	begin := bytes.LastIndexByte(f.Bytes[:r.Start.Byte], '\n') + 1
	end := max(r.Start.Byte, min(r.End.Byte, len(f.Bytes)))
	var lines []Line
	for number := r.Start.Line; ; number++ {
		length := bytes.IndexByte(f.Bytes[begin:], '\n')
		if length < 0 {
			length = len(f.Bytes) - begin
		}
		lines = append(lines, snippetLine(number, string(f.Bytes[begin:begin+length]), r.Start.Byte-begin, end-begin))
		if begin += length + 1; begin >= end {
			break
		}
	}
	if n := len(lines); n > snippetLines {
		lines = append(lines[:snippetLines-2], Line{}, lines[n-1])
	}
	return lines
}

// snippetLine marks the bytes between two places in a line, without the white space
// at the start of a later line of a range. An empty range is marked with one sign.
func snippetLine(number int, text string, from, to int) Line {
	var code, marks strings.Builder
	begun := from >= 0
	text = strings.TrimRight(text, " \t\r")
	for i, c := range text {
		cell, mark := prose.Clean(string(c)), " "
		if c == '\t' {
			cell = " "
		}
		begun = begun || cell != " "
		if begun && from <= i && i < to {
			mark = "^"
		}
		code.WriteString(cell)
		marks.WriteString(strings.Repeat(mark, prose.Columns(cell)))
	}
	under := strings.TrimRight(marks.String(), " ")
	if under == "" && from >= 0 {
		under = marks.String() + "^"
	}
	return Line{Line: number, Code: code.String(), Marks: under}.Crop(snippetWidth)
}

// Crop returns the marked part of a line, with as much on both sides as fits the width.
func (l Line) Crop(width int) Line {
	if prose.Columns(l.Code) <= width {
		return l
	}
	width -= 2 // for what tells that there is more
	from := max(0, strings.Index(l.Marks, "^")-width/4)
	cut := func(s, left, right string) string {
		var b strings.Builder
		at := 0
		for _, r := range s {
			next := at + prose.ColumnsOf(r)
			switch {
			case at < from && from < next:
				b.WriteByte(' ') // the half of a wide one
			case from <= at && next <= from+width:
				b.WriteRune(r)
			}
			at = next
		}
		if from == 0 {
			left = ""
		}
		if at <= from+width {
			right = ""
		}
		return left + b.String() + right
	}
	return Line{Line: l.Line, Code: cut(l.Code, "…", "…"), Marks: cut(l.Marks, " ", "")}
}
