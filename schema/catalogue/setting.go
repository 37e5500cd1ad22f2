package catalogue

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Type is the type of a setting, in the words of the public documentation.
type Type string

// The types.
const (
	Boolean      Type = "boolean"
	Integer      Type = "integer"
	Number       Type = "number"
	Text         Type = "string"
	Time         Type = "datetime"
	Visibility   Type = "visibility"
	Texts        Type = "array(string)"
	Integers     Type = "array(integer)"
	Visibilities Type = "array(visibility)"
	Switches     Type = "object(boolean)"
	Weights      Type = "object(integer)"
	Object       Type = "object"
)

// Setting is one application setting.
type Setting struct {
	Key      string
	Type     Type
	Returned bool // reading the settings shows it
	Writable bool // it can be given; where it cannot, hosts ignore it
	Secret   bool // what reading shows is not the value
	Default  any  // in normal form (see Normal); nil: nothing is set
	Min, Max *float64
	Above    bool     // Min itself is too little
	Enum     []string // nil: any value of the type
	Given    string   // the switch that, turned on, takes this key beside it
	Present  string   // the switch under which this key must not be blank
	Alias    string   // the key that this is another name of; empty for a key in its own right
	Doc      string   // what it sets, in one sentence

	rule string
}

// mostInteger is the highest that the public service keeps of an integer, where it has made no room
// for more.
const mostInteger = 1<<31 - 1

// Bounded says that the setting has an upper bound of its own, and not only the one of all
// integers.
func (s Setting) Bounded() bool { return s.Max != nil && *s.Max < mostInteger }

//go:embed settings.tsv
var settingsTable string

type settingsIndex struct {
	list  []Setting
	byKey map[string]int
}

var settings = sync.OnceValue(func() settingsIndex {
	n := strings.Count(settingsTable, "\n")
	x := settingsIndex{list: make([]Setting, 0, n), byKey: make(map[string]int, n)}
	for row := range rows(settingsTable) {
		x.byKey[row.at("key")] = len(x.list)
		x.list = append(x.list, settingOf(row))
	}
	for i := range x.list {
		if s := &x.list[i]; s.Alias != "" {
			s.inherit(x.list[x.byKey[s.Alias]])
		}
	}
	return x
})

// Settings are all application settings, in the order of their keys. The list is the caller's; the
// values in it are not to be changed.
func Settings() []Setting { return slices.Clone(settings().list) }

// SettingByKey finds a setting by its key, old names included.
func SettingByKey(key string) (Setting, bool) {
	x := settings()
	i, ok := x.byKey[key]
	if !ok {
		return Setting{}, false
	}
	return x.list[i], true
}

// settingOf reads one row. The table is ours: what is wrong with it is found by the first test.
func settingOf(r row) Setting {
	s := Setting{
		Key: r.at("key"), Type: Type(r.at("type")), rule: r.at("rule"),
		Returned: r.at("returned") == "yes", Writable: r.at("writable") == "yes", Secret: r.at("secret") == "yes",
		Given: r.at("given"), Present: r.at("present"), Alias: r.at("alias"), Doc: r.at("doc"),
	}
	if enum := r.at("enum"); enum != "" {
		s.Enum = strings.Fields(enum)
	}
	if s.Type == Visibility || s.Type == Visibilities {
		s.Enum = []string{"private", "internal", "public"}
	}
	least, above := strings.CutPrefix(r.at("min"), ">")
	s.Min, s.Max, s.Above = s.bound(least), s.bound(r.at("max")), above
	if s.Type == Integer && s.Max == nil && s.Enum == nil {
		s.Max = s.bound(strconv.Itoa(mostInteger))
	}
	if _, known := rules[s.rule]; s.rule != "" && !known {
		panic(fmt.Sprintf("catalogue: %s has an unknown rule %q", s.Key, s.rule))
	}
	if text := r.at("default"); text != "" {
		v, err := valueOf(text)
		if err == nil {
			s.Default, err = s.Normal(v)
		}
		if err != nil {
			panic(fmt.Sprintf("catalogue: the default of %s: %v", s.Key, err))
		}
	}
	return s
}

// valueOf reads a cell of JSON. Most are switches and small numbers, which need no decoder.
func valueOf(text string) (v any, err error) {
	switch text {
	case "true", "false":
		return text == "true", nil
	}
	if strings.Trim(text, "0123456789") == "" {
		return json.Number(text), nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v)
}

func (s Setting) bound(cell string) *float64 {
	if cell == "" {
		return nil
	}
	n, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		panic(fmt.Sprintf("catalogue: a bound of %s: %v", s.Key, err))
	}
	return &n
}

// inherit gives another name of a setting what that setting has.
func (s *Setting) inherit(own Setting) {
	s.Secret, s.Default, s.Doc = own.Secret, s.Renamed(own.Default), own.Doc
	s.Min, s.Max, s.Above, s.Enum, s.rule = own.Min, own.Max, own.Above, own.Enum, own.rule
	if s.Type != own.Type { // a list as a text: what holds for the list is asked of it
		s.Max, s.Enum, s.rule = nil, nil, ""
	}
}
