// Redacts failures for machines: their state is recorded, and the user's input must not be.
import type { EditFailure } from '../../../../machines/index.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Values } from './edits.ts'

const QUOTED = 'The server refused the change. Its message quotes your input and is not recorded.'

/** Removes messages that quote the user's input. */
export const redactFailure = ({ message, retry }: DataFailure, values: Values): EditFailure => {
  const isQuoted = Object.values(values).some(cell => cell !== null && cell !== '' && message.includes(cell))
  return { message: isQuoted ? QUOTED : message, retry }
}
