// The name that is most like a given one, for the hints of errors.

const MIN_LIKENESS = 0.33
/** Candidates whose distance is measured; the others have less in common. */
const COMPARED = 50

/** @param min how like it must be, from 0 to 1 */
export function likeliest(
  given: string,
  candidates: readonly string[],
  min = MIN_LIKENESS,
): string | undefined {
  const text = given.toLowerCase()
  for (const size of [3, 2]) {
    const grams = gramsOf(text, size)
    const sharing = [...new Set(candidates)]
      .map(name => ({ name, shared: likeness(grams, gramsOf(name.toLowerCase(), size)) }))
      .filter(({ shared }) => shared > 0)
      .toSorted((a, b) => b.shared - a.shared)
      .slice(0, COMPARED)
      .map(({ name }) => ({ name, score: similarity(text, name.toLowerCase()) }))
      .filter(({ score }) => score >= min)
      .toSorted((a, b) => b.score - a.score)
    const [bestMatch] = sharing
    if (bestMatch) return bestMatch.name
  }
  return undefined
}

function gramsOf(text: string, size: number): ReadonlyMap<string, number> {
  const padded = `-${text.replaceAll(/[^\p{Letter}\p{Number}, ]+/gu, '')}-`
  const grams = new Map<string, number>()
  for (let at = 0; at + size <= padded.length; at += 1) {
    const gram = padded.slice(at, at + size)
    grams.set(gram, (grams.get(gram) ?? 0) + 1)
  }
  return grams
}

/** The cosine of the angle between two vectors of counts. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const length = (grams: ReadonlyMap<string, number>) => Math.hypot(...grams.values())
  let product = 0
  for (const [gram, count] of a) product += count * (b.get(gram) ?? 0)
  return product / (length(a) * length(b))
}

const similarity = (a: string, b: string): number => 1 - distance(a, b) / Math.max(a.length, b.length)

/** How many letters have to be added, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (b[j] === a[i] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
