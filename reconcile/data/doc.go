// Package data answers data sources for the planned world: what is live, plus what
// is declared, minus what will be deleted. It shows that world to expressions.
package data
