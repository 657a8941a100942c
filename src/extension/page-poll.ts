// Asks the inspected page for something again and again. A page may answer anything.
import type { InspectedPage } from './inspected-page.ts'

/**
 * Runs the code in the page at this interval in milliseconds, whatever it returned before; returns a function that
 * stops.
 * @param take called with each answer; undefined if the code threw or there is no page
 */
export function pollPage(
  { run }: Pick<InspectedPage, 'run'>,
  { code, every }: { readonly code: string; readonly every: number },
  take: (answer: unknown) => void,
): () => void {
  let isOpen = true
  const ask = async () => {
    const answer = await run(code)
    if (!isOpen) return
    setTimeout(() => void (isOpen && ask()), every)
    take(answer)
  }
  void ask()
  return () => {
    isOpen = false
  }
}

/** What a page answered as JSON; undefined if it is no JSON. */
export function parsedAnswer(answer: unknown): unknown {
  if (typeof answer !== 'string') return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}
