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

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// A token lets one process in, once. It is handed over in a file of the private folder, because a command line or an
// environment is there for others to read, and taken by renaming that file, which works for one process only.
const (
	tokenPrefix = "token-"
	takenPrefix = "taken-"
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
	file := filepath.Join(t.folder, tokenPrefix+name)
	if err := durable.Replace(file, []byte(secret)); err != nil { // whole as soon as it has its name
		return fmt.Errorf("mint a token: %w", err)
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
		secret, ok, err := takeFile(folder, e.Name(), takenPrefix+name)
		if err != nil {
			return "", err
		}
		if !ok {
			continue // another process was quicker
		}
		return string(secret), nil
	}
	return "", errNoToken
}
