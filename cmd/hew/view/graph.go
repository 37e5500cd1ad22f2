package view

import (
	"io"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// Drawings holds the languages of graphs by name.
var Drawings = map[string]drawing{"dot": dot{}, "mermaid": mermaid{}}

// drawing is a language of graphs. Each method writes a line or two.
type drawing interface {
	begin(w io.Writer)
	node(w io.Writer, indent string, v vertex)
	module(w io.Writer, indent string, c *cluster) // what is in it follows
	shut(w io.Writer, indent string)
	edge(w io.Writer, from, to vertex)
	end(w io.Writer)
}

// vertex is a block and its number in the order of the configuration.
type vertex struct {
	addr.Block
	n int
}

// label returns the name of a block within its module.
func (v vertex) label() string {
	v.Module = ""
	return v.Block.String()
}

// cluster is what is drawn together: a module and the modules that it calls.
type cluster struct {
	path   string // of calls, dotted; these have no keys, for no instance is known yet
	n      int
	own    []vertex
	called []*cluster
}

// clusters are the modules by path, "" the root.
type clusters map[string]*cluster

func (all clusters) of(path string) *cluster {
	if c := all[path]; c != nil {
		return c
	}
	c := &cluster{path: path, n: len(all)}
	all[path] = c
	if path != "" {
		outer := all.of(path[:max(0, strings.LastIndexByte(path, '.'))])
		outer.called = append(outer.called, c)
	}
	return c
}

// Draw writes the blocks, grouped by module, and then the arrows.
func Draw(w io.Writer, d drawing, all []config.Dependency) {
	modules := clusters{}
	vertices := map[addr.Block]vertex{}
	for i, dep := range all {
		v := vertex{dep.Block, i}
		vertices[dep.Block] = v
		c := modules.of(dep.Block.Module)
		c.own = append(c.own, v)
	}
	d.begin(w)
	modules.of("").draw(w, d, "  ")
	for _, dep := range all {
		for _, need := range dep.DependsOn {
			d.edge(w, vertices[dep.Block], vertices[need])
		}
	}
	d.end(w)
}

// address returns the call of the module.
func (c *cluster) address() string { return addr.Block{Module: c.path}.String() }

func (c *cluster) draw(w io.Writer, d drawing, indent string) {
	for _, v := range c.own {
		d.node(w, indent, v)
	}
	for _, called := range c.called {
		d.module(w, indent, called)
		called.draw(w, d, indent+"  ")
		d.shut(w, indent)
	}
}
