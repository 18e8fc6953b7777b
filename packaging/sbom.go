package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
)

// The part of CycloneDX 1.6 that says what a program is made of. There is no time and no serial number in it: two of the
// same archive are the same.
type sbom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// writeSBOM lists what the linker says is in the program of an archive, with the licence of each part.
func writeSBOM(root, archive, out string) error {
	m, err := program(archive)
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(m.data))
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	number, err := version(root)
	if err != nil {
		return err
	}
	doc := sbom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	doc.Metadata.Component = component{
		Type: "application", Name: "copilot-bridge", Version: number, Licences: licencesOf([]string{"Apache-2.0"}),
		PURL: "pkg:github/copilot-bridge/copilot-bridge@v" + number, Ref: "pkg:github/copilot-bridge/copilot-bridge@v" + number,
	}
	sum := sha256.Sum256(m.data)
	doc.Metadata.Component.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	for _, s := range info.Settings {
		doc.Metadata.Component.Properties = append(doc.Metadata.Component.Properties, property{"go:" + s.Key, s.Value})
	}
	parts := append([]*debug.Module{{Path: "std", Version: info.GoVersion}}, info.Deps...)
	for _, d := range parts {
		c := component{Type: "library", Name: d.Path, Version: d.Version, PURL: "pkg:golang/" + d.Path + "@" + d.Version}
		c.Ref = c.PURL
		m, err := standard(root)
		if d.Path != "std" {
			m, err = sources(root, d.Path, d.Version)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		ids, err := m.licences()
		if err != nil {
			return err
		}
		c.Licences = licencesOf(ids)
		if d.Sum != "" {
			c.Properties = []property{{"go:sum", d.Sum}}
		}
		doc.Components = append(doc.Components, c)
	}
	raw, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return write(out, string(raw)+"\n")
}

func licencesOf(ids []string) []licence {
	all := make([]licence, len(ids))
	for i, id := range ids {
		all[i].Licence.ID = id
	}
	return all
}
