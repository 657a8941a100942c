// Recent queries, latest first.
import { storedTexts, storeTexts } from '../stored-layout.ts'

const NAME = 'queries'
const KEPT = 20

export const pastQueries = (): readonly string[] => storedTexts(NAME)

/** Stores a query. */
export function keepQuery(query: string): void {
  const text = query.trim()
  // A text that ends in an operator is unfinished.
  if (text === '' || /[-:<>]$/.test(text)) return
  const others = pastQueries().filter(known => known !== text)
  storeTexts(NAME, [text, ...others].slice(0, KEPT))
}
