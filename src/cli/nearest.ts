// Finds the name that was probably meant.

/** Returns the known name with the fewest differences, if there are few; the first of several. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(text.length / 3))
  let best: { readonly name: string; readonly steps: number } | undefined
  for (const name of known) {
    const isBeginning = text.length >= 2 && name.startsWith(text)
    const steps = isBeginning ? 1 : distance(text, name)
    if (steps <= allowed && steps < (best?.steps ?? Infinity)) best = { name, steps }
  }
  return best?.name
}

/** Edit distance: letters inserted, removed, changed or swapped with their neighbor. */
function distance(a: string, b: string): number {
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
