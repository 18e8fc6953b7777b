package tools

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A token lets one process in, once. It is handed over in a file of the private folder, because a command line or an
// environment is there for others to read, and taken by renaming that file, which works for one process only.
const (
	tokenPrefix = "token-"
	takenPrefix = "taken-"
	freshPrefix = "fresh-" // not yet complete
)

// tokens are those that have been minted and not used yet, oldest first.
type tokens struct {
	folder string
	now    func() time.Time

	mu  sync.Mutex
	all []token
}

type token struct {
	secret, file string
	minted       time.Time
}

// mint puts one more token into the folder.
func (t *tokens) mint() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	for len(t.all) >= MaxTokens {
		t.drop(0)
	}
	name, secret := rand.Text(), rand.Text()+rand.Text()
	fresh := filepath.Join(t.folder, freshPrefix+name)
	f, err := os.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("mint a token: %w", err)
	}
	_, err = f.WriteString(secret)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("mint a token: %w", errors.Join(err, os.Remove(fresh)))
	}
	file := filepath.Join(t.folder, tokenPrefix+name)
	if err := os.Rename(fresh, file); err != nil {
		return fmt.Errorf("mint a token: %w", errors.Join(err, os.Remove(fresh)))
	}
	t.all = append(t.all, token{secret, file, t.now()})
	return nil
}

// redeem says whether the secret is a token's, and uses it up.
func (t *tokens) redeem(secret string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	hit := -1
	for i, k := range t.all {
		if subtle.ConstantTimeCompare([]byte(k.secret), []byte(secret)) == 1 {
			hit = i
		}
	}
	if hit < 0 {
		return false
	}
	t.drop(hit)
	return true
}

func (t *tokens) expire() {
	for len(t.all) > 0 && t.now().Sub(t.all[0].minted) > TokenLife {
		t.drop(0)
	}
}

func (t *tokens) drop(i int) {
	_ = os.Remove(t.all[i].file) // most often it has been taken already
	t.all = append(t.all[:i], t.all[i+1:]...)
}

// errNoToken means that nothing in the folder is for this process.
var errNoToken = errors.New("there is no unused token")

// takeToken takes one token out of the folder.
func takeToken(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), tokenPrefix)
		if !ok {
			continue
		}
		taken := filepath.Join(folder, takenPrefix+name)
		if err := os.Rename(filepath.Join(folder, e.Name()), taken); err != nil {
			continue // another process was quicker
		}
		secret, err := os.ReadFile(taken)
		if err = errors.Join(err, os.Remove(taken)); err != nil {
			return "", err
		}
		return string(secret), nil
	}
	return "", errNoToken
}
