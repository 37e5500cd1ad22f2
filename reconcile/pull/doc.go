// Package pull writes down what a host has as configuration that people go on
// with: a file a group, references in the place of ids, and nothing that is as it
// would be anyway. The plan of what it writes adopts everything and changes
// nothing; secrets are variables without a value, and left as they are.
//
// It knows no kind by name. What is in what is told by [schema.Kind.Owner] and
// Tree, what can be listed at any depth by the sources that do (Data), what is one
// block of many by Set, what belongs to nobody in particular by the state and the
// note of an object.
//
// In the order in which things happen: subject.go says what is pulled, choice.go
// of which kinds; tree.go finds the groups and projects; read.go reads what is in
// them, some at a time, so that no more of a host is in memory than it has to be.
// object.go picks what is said of an object, secret.go keeps secrets out of it, of
// which address.go finds those in addresses; twins.go sorts out what cannot be told
// apart. refer.go has the words for what is referred to, name.go those for blocks;
// block.go writes them, file.go into files.
package pull
