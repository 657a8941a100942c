// Copies text and JSON to the clipboard and reports success or failure.
import { toast } from 'sonner'
import { encodeValue } from '../../../trace/index.ts'
import { messageOf } from '../text.ts'

/** Copies a text; `what` names it in the message: `Path`. */
export function copyText(text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast.success(`${what} copied`),
    (error: unknown) => toast.error(`${what} could not be copied: ${messageOf(error)}`),
  )
}

/** Copies a value as JSON; the codec's encoding represents what JSON cannot. */
export const copyJson = (value: unknown, what: string): void =>
  copyText(JSON.stringify(encodeValue(value), null, 2), what)
