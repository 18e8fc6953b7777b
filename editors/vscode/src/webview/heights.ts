/**
 * Heights of the rows of a list, known or estimated, and the places that follow from them: a Fenwick tree, so that a row's offset and
 * the row at an offset cost log n. Pixels.
 */
export class Heights {
  private values: number[] = [];
  private tree: number[] = [0];

  get length(): number {
    return this.values.length;
  }

  get total(): number {
    return this.offset(this.values.length);
  }

  of(index: number): number {
    return this.values[index] ?? 0;
  }

  push(height: number): void {
    this.values.push(height);
    const i = this.values.length;
    // The node covers the lowbit(i) values that end here.
    let sum = height;
    for (let step = 1; step < (i & -i); step <<= 1) sum += this.tree[i - step] ?? 0;
    this.tree[i] = sum;
  }

  /** Heights of rows that come before all others. */
  prepend(heights: number[]): void {
    const all = heights.concat(this.values);
    this.values = [];
    this.tree = [0];
    for (const height of all) this.push(height);
  }

  clear(): void {
    this.values = [];
    this.tree = [0];
  }

  set(index: number, height: number): void {
    const change = height - this.of(index);
    if (change === 0 || index >= this.values.length) return;
    this.values[index] = height;
    for (let i = index + 1; i <= this.values.length; i += i & -i) this.tree[i] = (this.tree[i] ?? 0) + change;
  }

  /** Where a row begins: the sum of those before it. */
  offset(index: number): number {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.tree[i] ?? 0;
    return sum;
  }

  /** The row that covers a place; the first or last one for a place outside. */
  at(y: number): number {
    let index = 0;
    let rest = y;
    let step = 1;
    while (step * 2 <= this.values.length) step *= 2;
    for (; step > 0; step >>= 1) {
      const sum = this.tree[index + step];
      if (index + step <= this.values.length && sum !== undefined && sum <= rest) {
        index += step;
        rest -= sum;
      }
    }
    return Math.max(0, Math.min(index, this.values.length - 1));
  }
}
