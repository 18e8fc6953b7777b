package lend

// asAnother: nobody can play another user here.
func asAnother(string, string) {}
