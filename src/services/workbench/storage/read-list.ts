// Parses lists from a backend without trusting their content.
import { safeParse, type BaseIssue, type BaseSchema } from 'valibot'

/** Returns the valid entries and drops the others; undefined if the response is not a list. */
export function readList<T>(
  item: BaseSchema<unknown, T, BaseIssue<unknown>>,
  answer: unknown,
): readonly T[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.flatMap((each: unknown) => {
    const read = safeParse(item, each)
    return read.success ? [read.output] : []
  })
}
