// Package lines is texts as lines, and the blocks of lines that lead from one text to another: found between two texts, put
// in order, woven in, moved along with other changes. It promises that a change of one line in a large text costs what the
// line costs, and one comparison of the rest.
//
// It knows no files and no hunks.
package lines
