// Lists as a host answers them, of which nothing is taken for granted.
import { safeParse, type BaseIssue, type BaseSchema } from 'valibot'

/** The entries that are what they should be; the others are left out. Undefined for what is no list. */
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
