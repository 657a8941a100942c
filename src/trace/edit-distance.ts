// Compares names, to suggest the one that was probably meant.

/** Edit distance: letters inserted, removed, changed or swapped with their neighbor. */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const changed = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])
      row.push(
        Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : Infinity),
      )
    }
  }
  return at(a.length, b.length)
}
