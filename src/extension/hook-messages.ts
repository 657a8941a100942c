// What the hook in an inspected page answers, which a page can replace.
import { parsedAnswer } from './page-poll.ts'

/** The messages of an answer, each of any kind; undefined if the answer is not one of the hook. */
export function hookMessages(answer: unknown): readonly unknown[] | undefined {
  const found = parsedAnswer(answer)
  const messages =
    typeof found === 'object' && found !== null && 'messages' in found ? found.messages : undefined
  return Array.isArray(messages) ? messages : undefined
}
