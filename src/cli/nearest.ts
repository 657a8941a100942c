// Finds the name that was probably meant.
import { editDistance } from '../trace/index.ts'

/** Returns the known name with the fewest differences, if there are few; the first of several. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(text.length / 3))
  let best: { readonly name: string; readonly steps: number } | undefined
  for (const name of known) {
    const isBeginning = text.length >= 2 && name.startsWith(text)
    const steps = isBeginning ? 1 : editDistance(text, name)
    if (steps <= allowed && steps < (best?.steps ?? Infinity)) best = { name, steps }
  }
  return best?.name
}
