package main

import (
	"cmp"
	"slices"
)

// model is what goes over the wire.
type model struct {
	verbs   []message // requests of the editor's
	asked   []message // requests to it
	told    []message // notifications to it
	heard   []message // notifications of the editor's
	structs []object  // all types that are reached from there, by name
	codes   []code
	acp     []object // the types of ACP's that are reached, by name
}

// message is a method with its types. result is nil for a notification.
type message struct {
	method         string
	params, result *ref
}

// object is a struct, or one of ACP's unions.
type object struct {
	name     string
	doc      string
	extends  string // the object whose members it has too, "" for none
	members  []member
	open     bool      // others may be there too
	also     []ref     // unions that stand among its members
	is       *ref      // what it is another name of, nil for all others
	variants []variant // of a union
}

// variant is one of a union, told by its tag.
type variant struct {
	of       ref
	tag      string // "" where nothing tells it
	kind     string // the tag's value, "" where the tag is missing
	optional bool   // it is the one without the tag, too
}

type member struct {
	name     string
	doc      string
	of       ref
	optional bool
}

// ref is a type.
type ref struct {
	kind  kind
	name  string   // of an object or of a type from elsewhere
	words []string // of an enum
	open  bool     // an enum that may have other values
	elem  *ref     // of a list or a map
	null  bool     // it may be null
}

type kind int

const (
	kindString kind = iota
	kindNumber
	kindInteger
	kindBool
	kindAny
	kindEmpty // an object without members
	kindEnum
	kindList
	kindMap
	kindObject
	kindElsewhere // encoded elsewhere, named as the client names it
)

// code is an error code.
type code struct {
	name, value string
}

func (m *model) sort() {
	byMethod := func(a, b message) int { return cmp.Compare(a.method, b.method) }
	for _, list := range [][]message{m.verbs, m.asked, m.told, m.heard} {
		slices.SortFunc(list, byMethod)
	}
	for _, list := range [][]object{m.structs, m.acp} {
		slices.SortFunc(list, func(a, b object) int { return cmp.Compare(a.name, b.name) })
	}
}
