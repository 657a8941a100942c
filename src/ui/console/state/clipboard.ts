// Copies values as JSON and says that it did; a browser that refuses says so too.
import { toast } from 'sonner'
import { encodeValue } from '../../../trace/codec.ts'
import { messageOf } from '../text.ts'

/** Copies a text; `what` is how it is told: `The path`. */
export function copyText(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast.success(`${what} is copied`),
    (error: unknown) => toast.error(`${what} could not be copied: ${messageOf(error)}`),
  )
}

/** The value as JSON, in the codec's words for what JSON can't say. */
export const copyJson = (value: unknown, what: string): void =>
  copyText(JSON.stringify(encodeValue(value), null, 2), what)
